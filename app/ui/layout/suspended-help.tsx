import { paths } from "../../paths.ts";
import { ButtonLink } from "../forms/button.tsx";
import { unpackMessage } from "../forms/form-message.ts";
import { useT } from "../frame/i18n.tsx";

/** The way to Support, beside a sign-in that was refused because Midman has suspended the account: nobody there can be signed in. */
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
