import { useActionData, useLoaderData } from "react-router";
import { readForm } from "#app/http/forms";
import { actorOf, goTo, postedForm } from "#app/http/pages";
import { changePasswordForm } from "#forms/identity";
import { translator } from "#locales";
import { changePassword, sessionSetCookie } from "#modules/identity";
import { Card, Page } from "../components/card.tsx";
import { Errors, PasswordField } from "../components/field.tsx";
import { useT } from "../components/i18n.tsx";
import { NewPassword } from "../components/new-password.tsx";
import { usePostedForm } from "../components/posted-form.ts";
import { paths } from "../paths.ts";
import type { Route } from "./+types/change-password.ts";

export function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  if (actor.kind !== "user") throw goTo(paths.landing, { kind: "error", key: "guards.authRequired" });
  const t = translator(actor.language);
  return { must: actor.mustChangePassword, title: t("auth.changeTitle"), username: actor.username };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = actorOf(context);
  const form = readForm("change", await postedForm(request), changePasswordForm);
  if (!form.ok) return form.answer;
  const { currentPassword, newPassword } = form.value;
  const done = await changePassword(actor, { currentPassword, newPassword });
  if (!done.ok) return form.refuse(done);
  const { token, expires } = done.session;
  const headers = new Headers({ "Set-Cookie": sessionSetCookie(token, expires, request) });
  const home = actor.kind === "user" && actor.isAdmin ? paths.admin : paths.chat;
  return goTo(home, { kind: "success", key: "toast.passwordChanged" }, headers);
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function ChangePassword() {
  const t = useT();
  const { must, username } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("change", changePasswordForm, posted);
  return (
    <Page width="narrow">
      <h1 className="text-2xl font-extrabold">{t("auth.changeTitle")}</h1>
      <Card>
        {must && <p>{t("auth.changeReason")}</p>}
        <form method="post" className="grid gap-4" noValidate>
          <input type="hidden" name="username" value={username} autoComplete="username" />
          <Errors id={form.errorId} errors={form.errors} />
          <PasswordField
            label={t("auth.currentPassword")}
            field={fields.currentPassword}
            autoComplete="current-password"
          />
          <NewPassword fields={fields} />
        </form>
      </Card>
    </Page>
  );
}
