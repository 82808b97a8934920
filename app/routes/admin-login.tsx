import { useActionData, useLoaderData } from "react-router";
import { readForm } from "#app/http/forms";
import { actorOf, goTo, postedForm, safeNext } from "#app/http/pages";
import { now } from "#db/clock";
import { adminLoginInput } from "#forms/identity";
import { translator } from "#locales";
import { adminLogin, requireFreshLogin, sessionSetCookie } from "#modules/identity";
import { Button, ButtonLink } from "../components/button.tsx";
import { Card, Page } from "../components/card.tsx";
import { Errors, Field, PasswordField } from "../components/field.tsx";
import { useT } from "../components/i18n.tsx";
import { usePostedForm } from "../components/posted-form.ts";
import { paths } from "../paths.ts";
import type { Route } from "./+types/admin-login.ts";

export function loader({ context, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const next = safeNext(new URL(request.url).searchParams.get("next"), paths.admin);
  // An administrator whose login is no longer fresh comes here to sign in again before money moves.
  const fresh = requireFreshLogin(actor, now()).ok;
  if (actor.kind === "user" && actor.isAdmin && fresh) throw goTo(next);
  return {
    title: translator(actor.language)("admin.loginTitle"),
    notAuthorised: actor.kind === "user" && !actor.isAdmin,
    stale: actor.kind === "user" && actor.isAdmin,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = readForm("admin-login", await postedForm(request), adminLoginInput);
  if (!form.ok) return form.answer;
  const done = await adminLogin(actorOf(context), form.value);
  if (!done.ok) return form.refuse(done);
  const headers = new Headers({
    "Set-Cookie": sessionSetCookie(done.session.token, done.session.expires, request),
  });
  const next = safeNext(new URL(request.url).searchParams.get("next"), paths.admin);
  return goTo(next, { kind: "success", key: "toast.loggedIn" }, headers);
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminLogin() {
  const t = useT();
  const { notAuthorised, stale } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("admin-login", adminLoginInput, posted);
  return (
    <Page width="narrow">
      <h1 className="text-2xl font-extrabold">{t("admin.loginTitle")}</h1>
      <Card>
        {notAuthorised && <p className="font-semibold text-bad">{t("admin.notAuthorised")}</p>}
        {stale && <p className="font-semibold">{t("admin.fresh")}</p>}
        <form method="post" className="grid gap-4" noValidate>
          <Errors id={form.errorId} errors={form.errors} />
          <Field label={t("auth.username")} field={fields.username} autoComplete="username" />
          <PasswordField
            label={t("auth.password")}
            field={fields.password}
            autoComplete="current-password"
          />
          <Button>{t("header.signIn")}</Button>
        </form>
        <p className="text-sm text-quiet">{t("admin.loginNotice")}</p>
        <ButtonLink to={paths.landing}>{t("admin.home")}</ButtonLink>
      </Card>
    </Page>
  );
}
