import { useActionData, useLoaderData } from "react-router";
import { runOrRefuseBusy } from "#app/server/pages/hashing-overload";
import { actorOf, goTo, postedForm } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { readDocumentFacts } from "#app/server/texts/document-facts";
import { resetAdminPasswordForm, resetPasswordForm } from "#forms/identity";
import { getTranslator } from "#locales";
import { findResetOwner, resetPassword, signedOutHeaders } from "#modules/identity";
import { paths } from "../../paths.ts";
import { ButtonLink, TextLink } from "../../ui/forms/button.tsx";
import { FormErrors } from "../../ui/forms/field.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page } from "../../ui/layout/card.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import type { Route } from "./+types/reset-password.ts";
import { ForgotForm } from "./forgot-form.tsx";
import { NewPassword } from "./new-password.tsx";

/** For anyone who has the link; an invalid link is reported before the person types anything. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { language } = actorOf(context);
  const query = new URL(request.url).searchParams;
  const token = query.get("token") ?? "";
  const done = query.has("done");
  if (token === "" && !done) throw goTo(paths.landing, { kind: "error", key: "toast.invalidResetLink" });
  const title = getTranslator(language)("auth.resetTitle");
  const { resetLink = "" } = readDocumentFacts(language);
  const owner = done ? undefined : await findResetOwner(token);
  const state = done ? "done" : owner === undefined ? "dead" : "open";
  return { token, state, isAdmin: owner?.isAdmin ?? false, resetLink, title } as const;
}

export async function action({ context, request }: Route.ActionArgs) {
  const body = await postedForm(request);
  const owner = await findResetOwner(String(body.get("token") ?? ""));
  const form = readForm("reset", body, owner?.isAdmin ? resetAdminPasswordForm : resetPasswordForm);
  if (!form.ok) return form.answer;
  const { token, newPassword } = form.value;
  const actor = actorOf(context);
  const done = await runOrRefuseBusy(() => resetPassword(actor, { token, newPassword }));
  if (!done.ok) return form.refuse(done);
  // The reset revoked every session of that user; if this browser's was one of them, its cookies are cleared.
  const own = actor.kind === "user" && actor.userId === done.userId;
  const headers = own ? signedOutHeaders(request) : new Headers();
  return goTo(`${paths.resetPassword}?done`, { kind: "success", key: "toast.passwordReset" }, headers);
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export const headers = forwardActionHeaders;

const signIn = `${paths.landing}#auth`;

export default function ResetPassword() {
  const t = useT();
  const { token, state, isAdmin, resetLink } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  return (
    <Page width="narrow">
      <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{t("auth.resetTitle")}</h1>
      <Card>
        {state === "done" && (
          <>
            <Notice tone="good">{t("auth.resetDone")}</Notice>
            <ButtonLink to={signIn} look="primary">
              {t("auth.goToLogin")}
            </ButtonLink>
          </>
        )}
        {state === "dead" && <DeadLink resetLink={resetLink} failed={posted !== undefined} />}
        {state === "open" && <SetPassword token={token} isAdmin={isAdmin} />}
        {state !== "done" && <TextLink to={signIn}>{t("auth.backToLogin")}</TextLink>}
      </Card>
    </Page>
  );
}

function SetPassword({ token, isAdmin }: { token: string; isAdmin: boolean }) {
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("reset", resetPasswordForm, posted);
  return (
    <PersonForm className="grid gap-4" noValidate>
      <input type="hidden" name="token" value={token} />
      <FormErrors id={form.errorId} errors={form.errors} />
      <NewPassword fields={fields} isAdmin={isAdmin} />
    </PersonForm>
  );
}

function DeadLink({ resetLink, failed }: { resetLink: string; failed: boolean }) {
  const t = useT();
  return (
    <>
      <Notice tone="bad" title={t(failed ? "auth.resetFailed" : "errors.RESET_LINK_INVALID")}>
        {failed && <p>{t("errors.RESET_LINK_INVALID")}</p>}
        <p>{t("auth.linkDead")}</p>
      </Notice>
      <ForgotForm action={`${paths.landing}?dialog=forgot-password`} posted={null} resetLink={resetLink} />
    </>
  );
}
