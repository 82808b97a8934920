import { unpackMessage } from "#format";
import { paths } from "../../paths.ts";
import { FormErrors } from "../../ui/forms/field.tsx";
import { useT } from "../../ui/frame/i18n.tsx";

/**
 * The errors of a form of the back office. If the sign-in is no longer fresh, a link to sign in opens in another tab, so that no input is
 * lost and the same button can be pressed again.
 */
export function AdminErrors(props: { id: string; errors?: string[] | undefined }) {
  const t = useT();
  const stale =
    props.errors?.some((message) => unpackMessage(message).key === "errors.REAUTH_REQUIRED") ?? false;
  return (
    <>
      <FormErrors {...props} />
      {stale && (
        <a
          href={paths.adminLogin}
          target="_blank"
          rel="noopener"
          className="inline-flex min-h-11 items-center underline"
        >
          {t("admin.staleGo")}
        </a>
      )}
    </>
  );
}
