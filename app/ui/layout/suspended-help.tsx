import { unpackMessage } from "#format";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../forms/button.tsx";
import { useT } from "../frame/i18n.tsx";

/** The link to support, beside a sign-in that was refused because the account is suspended: the person cannot sign in there. */
export function SuspendedHelp({ errors }: { errors: string[] | undefined }) {
  const t = useT();
  const isSuspended = errors?.some((message) => unpackMessage(message).key.startsWith("identity.suspended."));
  if (!isSuspended) return null;
  return (
    <div className="grid gap-3">
      <p className="text-sm">{t("auth.suspendedHelp")}</p>
      <ButtonLink to={`${paths.support}?topic=account#write`} className="justify-self-start">
        {t("auth.suspendedWrite")}
      </ButtonLink>
    </div>
  );
}
