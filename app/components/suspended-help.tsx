import { paths } from "../paths.ts";
import { ButtonLink } from "./button.tsx";
import { useT } from "./i18n.tsx";
import { unpacked } from "./message.ts";

/** The way to Support, beside a sign-in that was refused because Midman has suspended the account: nobody there can be signed in. */
export function SuspendedHelp({ errors }: { errors: string[] | undefined }) {
  const t = useT();
  const isSuspended = errors?.some((message) => unpacked(message).key.startsWith("identity.suspended."));
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
