import { useActionData, useLoaderData } from "react-router";
import { enter } from "#app/http/entering";
import { keptHeaders, readForm } from "#app/http/forms";
import { actorOf, goTo, postedForm } from "#app/http/pages";
import { signInInstead } from "#app/http/pressed-again";
import { orBusy } from "#app/http/while-busy";
import { changePasswordForm } from "#forms/identity";
import { translator } from "#locales";
import { changePassword, secondFactorOf } from "#modules/identity";
import { Card, Page, PageHead } from "../components/card.tsx";
import { Errors, PasswordField } from "../components/field.tsx";
import { useT } from "../components/i18n.tsx";
import { NewPassword } from "../components/new-password.tsx";
import { usePostedForm } from "../components/posted-form.ts";
import { CodeField } from "../components/settings/code-field.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/change-password.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  if (actor.kind !== "user") throw goTo(paths.landing, { kind: "error", key: "guards.authRequired" });
  const factor = await secondFactorOf(actor);
  return {
    must: actor.mustChangePassword,
    withCode: factor.ok && factor.on,
    title: translator(actor.language)("auth.changeTitle"),
    username: actor.username,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = actorOf(context);
  const body = await postedForm(request);
  const again = await signInInstead({ actor, body, request, field: "newPassword", next: paths.chat });
  if (again !== undefined) return again;
  const form = readForm("change", body, changePasswordForm);
  if (!form.ok) return form.answer;
  const { currentPassword, newPassword, code } = form.value;
  const done = await orBusy(() => changePassword(actor, { currentPassword, newPassword, code }));
  if (!done.ok) return form.refuse(done);
  const next = actor.kind === "user" && actor.isAdmin ? paths.admin : paths.chat;
  return enter(done, { request, next, said: { kind: "success", key: "toast.passwordChanged" } });
}

export const headers = keptHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function ChangePassword() {
  const t = useT();
  const { must, username, withCode } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("change", changePasswordForm, posted);
  return (
    <Page width="narrow">
      <PageHead title={t("auth.changeTitle")} lead={must && t("auth.changeReason")} />
      <Card>
        <form method="post" className="grid gap-4" noValidate>
          <input type="hidden" name="username" value={username} autoComplete="username" />
          <Errors id={form.errorId} errors={form.errors} />
          <PasswordField
            label={t("auth.currentPassword")}
            field={fields.currentPassword}
            autoComplete="current-password"
            required
          />
          {(withCode || fields.code.errors) && <CodeField label={t("auth.code.label")} field={fields.code} />}
          <NewPassword fields={fields} />
        </form>
      </Card>
    </Page>
  );
}
