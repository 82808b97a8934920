import { Link, useActionData, useLoaderData } from "react-router";
import { readForm } from "#app/http/forms";
import { actorOf, goTo, postedForm } from "#app/http/pages";
import { resetPasswordForm } from "#forms/identity";
import { translator } from "#locales";
import { resetPassword } from "#modules/identity";
import { ButtonLink } from "../components/button.tsx";
import { Card, Page } from "../components/card.tsx";
import { Errors } from "../components/field.tsx";
import { useT } from "../components/i18n.tsx";
import { NewPassword } from "../components/new-password.tsx";
import { usePostedForm } from "../components/posted-form.ts";
import { paths } from "../paths.ts";
import type { Route } from "./+types/reset-password.ts";

export function loader({ context, request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const token = query.get("token");
  const done = query.has("done");
  if (!token && !done) throw goTo(paths.landing, { kind: "error", key: "toast.invalidResetLink" });
  return { token: token ?? "", done, title: translator(actorOf(context).language)("auth.resetTitle") };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = readForm("reset", await postedForm(request), resetPasswordForm);
  if (!form.ok) return form.answer;
  const { token, newPassword } = form.value;
  const done = await resetPassword(actorOf(context), { token, newPassword });
  if (!done.ok) return form.refuse(done);
  return goTo(`${paths.resetPassword}?done`, { kind: "success", key: "toast.passwordReset" });
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

// The token in the address must not reach another site by the Referer header.
export const headers: Route.HeadersFunction = () => ({ "Referrer-Policy": "no-referrer" });

export default function ResetPassword() {
  const t = useT();
  const { token, done } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("reset", resetPasswordForm, posted);
  return (
    <Page width="narrow">
      <h1 className="text-2xl font-extrabold">{t("auth.resetTitle")}</h1>
      <Card>
        {done ? (
          <>
            <p>{t("auth.resetDone")}</p>
            <ButtonLink to={`${paths.landing}#auth`} look="primary">
              {t("auth.goToLogin")}
            </ButtonLink>
          </>
        ) : (
          <form method="post" className="grid gap-4" noValidate>
            <input type="hidden" name="token" value={token} />
            <Errors id={form.errorId} errors={form.errors} />
            <NewPassword fields={fields} />
            <Link
              to={`${paths.landing}#auth`}
              className="inline-flex min-h-11 items-center justify-self-start font-semibold text-brand underline"
            >
              {t("auth.backToLogin")}
            </Link>
          </form>
        )}
      </Card>
    </Page>
  );
}
