import { useActionData, useLoaderData } from "react-router";
import { readForm } from "#app/http/forms";
import { actorOf, goTo, postedForm, safeNext } from "#app/http/pages";
import { forgotPasswordInput, loginInput, registerInput } from "#forms/identity";
import { translator } from "#locales";
import { forgotPassword, login, register, sessionSetCookie } from "#modules/identity";
import { AuthPanel } from "../components/auth-panel.tsx";
import { Card, Page } from "../components/card.tsx";
import { useT } from "../components/i18n.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/landing.ts";

export function loader({ context, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const query = new URL(request.url).searchParams;
  if (actor.kind === "user") throw goTo(safeNext(query.get("next"), paths.chat));
  const t = translator(actor.language);
  return {
    title: t("landing.title"),
    description: t("landing.description"),
    tab: query.get("tab") === "register" ? ("register" as const) : ("login" as const),
    forgot: query.get("dialog") === "forgot-password",
    next: safeNext(query.get("next"), paths.chat),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const body = await postedForm(request);
  const actor = actorOf(context);
  const next = safeNext(new URL(request.url).searchParams.get("next"), paths.chat);
  const enter = (session: { token: string; expires: Date }) =>
    goTo(
      next,
      undefined,
      new Headers({ "Set-Cookie": sessionSetCookie(session.token, session.expires, request) }),
    );

  switch (body.get("form")) {
    case "register": {
      const form = readForm("register", body, registerInput);
      if (!form.ok) return form.answer;
      const done = await register(actor, form.value);
      if (!done.ok && done.code === "EMAIL_EXISTS") return signInInstead(next);
      return done.ok ? enter(done.session) : form.refuse(done);
    }
    case "forgot": {
      const form = readForm("forgot", body, forgotPasswordInput);
      if (!form.ok) return form.answer;
      const done = await forgotPassword(actor, form.value);
      return done.ok ? goTo(paths.landing, { kind: "success", key: "toast.resetSent" }) : form.refuse(done);
    }
    default: {
      const form = readForm("login", body, loginInput);
      if (!form.ok) return form.answer;
      const done = await login(actor, form.value);
      return done.ok ? enter(done.session) : form.refuse(done);
    }
  }
}

/** Who is registered already is taken to the sign-in tab, where a forgotten password can be helped (specification §8). */
function signInInstead(next: string): Response {
  return goTo(`${paths.landing}?next=${encodeURIComponent(next)}#auth`, {
    kind: "error",
    key: "toast.emailExists",
  });
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.title },
  { name: "description", content: loaderData?.description },
];

const steps = ["room", "price", "pay", "handOver", "confirm", "payout"] as const;

export default function Landing() {
  const t = useT();
  const { tab, forgot, next } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  return (
    <Page>
      <div className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2 md:grid-rows-[auto_1fr]">
        <div className="grid gap-4">
          <h1 className="text-3xl font-extrabold text-balance sm:text-4xl">{t("landing.title")}</h1>
          <p className="text-lg text-quiet">{t("landing.description")}</p>
        </div>
        <div className="md:col-start-2 md:row-span-2 md:row-start-1">
          <AuthPanel tab={tab} forgot={forgot} next={next} posted={posted ?? null} />
        </div>
        <div className="grid gap-4">
          <Card title={t("landing.guide")}>
            <ol className="grid list-decimal gap-2 pl-5">
              {steps.map((step) => (
                <li key={step}>{t(`landing.steps.${step}`)}</li>
              ))}
            </ol>
          </Card>
          <Card title={t("landing.reminders")}>
            <ul className="grid list-disc gap-2 pl-5">
              <li>{t("landing.reminder.password")}</li>
              <li>{t("landing.reminder.notice")}</li>
            </ul>
          </Card>
        </div>
      </div>
    </Page>
  );
}
