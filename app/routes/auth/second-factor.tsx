import { useActionData, useLoaderData } from "react-router";
import { finishSignIn } from "#app/routes/auth/finish-sign-in";
import { actorOf, goTo, postedForm, safeNextPath } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { finishLoginInput } from "#forms/identity";
import { getTranslator } from "#locales";
import { finishLogin, loginTicketOf, ticketClearCookie } from "#modules/identity";
import { paths } from "../../paths.ts";
import { Button, TextLink } from "../../ui/forms/button.tsx";
import { Field, FormErrors } from "../../ui/forms/field.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { SuspendedHelp } from "../../ui/layout/suspended-help.tsx";
import type { Route } from "./+types/second-factor.ts";

/** Asks for the code after a correct password; the ticket that proves the password is in this browser's cookie. */
export function loader({ context, request }: Route.LoaderArgs) {
  const next = nextOf(request);
  if (loginTicketOf(request) === undefined) throw restartSignIn(request, next);
  const recovery = new URL(request.url).searchParams.has("recovery");
  return { next, recovery, title: getTranslator(actorOf(context).language)("auth.code.title") };
}

export async function action({ context, request }: Route.ActionArgs) {
  const next = nextOf(request);
  const ticket = loginTicketOf(request);
  const form = readForm("code", await postedForm(request), finishLoginInput);
  if (!form.ok) return form.answer;
  const done = await finishLogin(actorOf(context), { ...form.value, ticket });
  if (done.ok)
    return finishSignIn(done, { request, next, toast: { kind: "success", key: "toast.loggedIn" } });
  return done.code === "SIGN_IN_EXPIRED" ? restartSignIn(request, next) : form.refuse(done);
}

function nextOf(request: Request): string {
  return safeNextPath(new URL(request.url).searchParams.get("next"), paths.chat);
}

/** Redirects to the sign-in page that the person came from, keeping `next`. */
function restartSignIn(request: Request, next: string): Response {
  const headers = new Headers({ "Set-Cookie": ticketClearCookie(request) });
  return goTo(signInPageFor(next), { kind: "error", key: "errors.SIGN_IN_EXPIRED" }, headers);
}

function signInPageFor(next: string): string {
  const query = `?next=${encodeURIComponent(next)}`;
  const back = new URL(next, "http://midman.invalid").pathname;
  const office = back === paths.admin || back.startsWith(`${paths.admin}/`);
  return office ? `${paths.adminLogin}${query}` : `${paths.landing}${query}#auth`;
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SecondFactor() {
  const t = useT();
  const { next, recovery } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("code", finishLoginInput, posted);
  const query = `next=${encodeURIComponent(next)}`;
  const own = `${paths.signInCode}?${query}`;
  const other = recovery ? own : `${own}&recovery`;
  return (
    <Page width="narrow">
      <PageHead
        title={t("auth.code.title")}
        lead={t(recovery ? "auth.code.recoveryLead" : "auth.code.lead")}
      />
      <Card>
        <PersonForm action={recovery ? `${own}&recovery` : own} className="grid gap-4" noValidate>
          <FormErrors id={form.errorId} errors={form.errors} />
          <SuspendedHelp errors={form.errors} />
          {recovery ? (
            <Field
              label={t("auth.code.recoveryLabel")}
              field={fields.code}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              required
              {...codeFieldFocus}
            />
          ) : (
            <Field
              label={t("auth.code.label")}
              field={fields.code}
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              {...codeFieldFocus}
            />
          )}
          <Button>{t("auth.code.go")}</Button>
        </PersonForm>
        <TextLink to={other}>{t(recovery ? "auth.code.useApp" : "auth.code.useRecovery")}</TextLink>
        <TextLink to={signInPageFor(next)}>{t("auth.backToLogin")}</TextLink>
      </Card>
    </Page>
  );
}

// The page is this one field, and the person has the code ready.
const codeFieldFocus = { autoFocus: true };
