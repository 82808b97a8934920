import { useActionData, useLoaderData } from "react-router";
import { askForSignInCode, finishSignIn } from "#app/routes/auth/finish-sign-in";
import { runOrRefuseBusy } from "#app/server/pages/hashing-overload";
import { actorOf, adminLoginPath, goTo, postedForm, safeNextPath } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { currentTime } from "#db/clock";
import { adminLoginInput, passkeyAssertionForm } from "#forms/identity";
import { getTranslator } from "#locales";
import { adminLogin, passkeyTicketOf, requireFreshLogin, signInWithPasskey } from "#modules/identity";
import { paths } from "../../paths.ts";
import { Button, TextLink } from "../../ui/forms/button.tsx";
import { Field, FormErrors, PasswordField, passkeyInputProps } from "../../ui/forms/field.tsx";
import { PasskeyForm } from "../../ui/forms/passkey-form.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import { SuspendedHelp } from "../../ui/layout/suspended-help.tsx";
import type { Route } from "./+types/login.ts";

export function loader({ context, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  // An administrator whose login is no longer fresh comes here to sign in again before a step that moves money.
  const fresh = requireFreshLogin(actor, currentTime()).ok;
  if (actor.kind === "user" && actor.isAdmin && fresh) throw goTo(nextOf(request));
  return {
    title: getTranslator(actor.language)("admin.loginTitle"),
    here: adminLoginPath(nextOf(request)),
    notAuthorised: actor.kind === "user" && !actor.isAdmin,
    stale: actor.kind === "user" && actor.isAdmin,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const [body, next] = [await postedForm(request), nextOf(request)];
  if (body.get("form") === "passkey") {
    const form = readForm("passkey", body, passkeyAssertionForm);
    if (!form.ok) return form.answer;
    const ticket = passkeyTicketOf(request);
    const done = await signInWithPasskey(actorOf(context), { ...form.value, ticket });
    return done.ok
      ? finishSignIn(done, { request, next, toast: { kind: "success", key: "toast.loggedIn" } })
      : form.refuse(done);
  }
  const form = readForm("admin-login", body, adminLoginInput);
  if (!form.ok) return form.answer;
  const done = await runOrRefuseBusy(() => adminLogin(actorOf(context), form.value));
  if (done.ok)
    return finishSignIn(done, { request, next, toast: { kind: "success", key: "toast.loggedIn" } });
  return done.code === "SECOND_FACTOR_REQUIRED" ? askForSignInCode(done, request, next) : form.refuse(done);
}

function nextOf(request: Request): string {
  return safeNextPath(new URL(request.url).searchParams.get("next"), paths.admin);
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminLogin() {
  const t = useT();
  const { notAuthorised, stale, here } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("admin-login", adminLoginInput, posted);
  return (
    <Page width="narrow">
      <PageHead title={t("admin.loginTitle")} lead={t("admin.loginNotice")} />
      <Card>
        {notAuthorised && <Notice tone="bad">{t("admin.notAuthorised")}</Notice>}
        {stale && <Notice tone="info">{t("admin.fresh")}</Notice>}
        <PersonForm className="grid gap-4" noValidate>
          <FormErrors id={form.errorId} errors={form.errors} />
          <SuspendedHelp errors={form.errors} />
          <Field label={t("auth.username")} field={fields.username} {...passkeyInputProps} required />
          <PasswordField
            label={t("auth.password")}
            field={fields.password}
            autoComplete="current-password"
            required
          />
          <Button>{t("header.signIn")}</Button>
        </PersonForm>
        <PasskeyForm
          name="passkey"
          to={here}
          does="get"
          options="/api/auth/passkey/options"
          door="admin_login"
          label={t(stale ? "passkey.use" : "passkey.signIn")}
          posted={posted}
        />
        <TextLink to={paths.landing}>{t("admin.home")}</TextLink>
      </Card>
    </Page>
  );
}
