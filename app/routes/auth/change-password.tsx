import { useActionData, useLoaderData } from "react-router";
import { finishSignIn } from "#app/routes/auth/finish-sign-in";
import { signInOnRepeat } from "#app/routes/auth/repeated-post";
import { runOrRefuseBusy } from "#app/server/pages/hashing-overload";
import { actorOf, goTo, postedForm } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { changeAdminPasswordForm, changePasswordForm } from "#forms/identity";
import { getTranslator } from "#locales";
import { changePassword, secondFactorOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import { FormErrors, PasswordField } from "../../ui/forms/field.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { CodeField } from "../settings/sections/second-factor/code-field.tsx";
import type { Route } from "./+types/change-password.ts";
import { NewPassword } from "./new-password.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  if (actor.kind !== "user") throw goTo(paths.landing, { kind: "error", key: "guards.authRequired" });
  const factor = await secondFactorOf(actor);
  return {
    must: actor.mustChangePassword,
    withCode: factor.ok && factor.on,
    title: getTranslator(actor.language)("auth.changeTitle"),
    username: actor.username,
    isAdmin: actor.isAdmin,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = actorOf(context);
  const body = await postedForm(request);
  const again = await signInOnRepeat({ actor, body, request, field: "newPassword", next: paths.chat });
  if (again !== undefined) return again;
  const isAdmin = actor.kind === "user" && actor.isAdmin;
  const form = readForm("change", body, isAdmin ? changeAdminPasswordForm : changePasswordForm);
  if (!form.ok) return form.answer;
  const { currentPassword, newPassword, code } = form.value;
  const done = await runOrRefuseBusy(() => changePassword(actor, { currentPassword, newPassword, code }));
  if (!done.ok) return form.refuse(done);
  const next = isAdmin ? paths.admin : paths.chat;
  return finishSignIn(done, { request, next, toast: { kind: "success", key: "toast.passwordChanged" } });
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function ChangePassword() {
  const t = useT();
  const { must, username, withCode, isAdmin } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("change", changePasswordForm, posted);
  return (
    <Page width="narrow">
      <PageHead title={t("auth.changeTitle")} lead={must && t("auth.changeReason")} />
      <Card>
        <PersonForm className="grid gap-4" noValidate>
          <input type="hidden" name="username" value={username} autoComplete="username" />
          <FormErrors id={form.errorId} errors={form.errors} />
          <PasswordField
            label={t("auth.currentPassword")}
            field={fields.currentPassword}
            autoComplete="current-password"
            required
          />
          {(withCode || fields.code.errors) && <CodeField label={t("auth.code.label")} field={fields.code} />}
          <NewPassword fields={fields} isAdmin={isAdmin} />
        </PersonForm>
      </Card>
    </Page>
  );
}
