import { data, useActionData, useLoaderData } from "react-router";
import { askForSignInCode, finishSignIn } from "#app/routes/auth/finish-sign-in";
import { calculateFees, type FeeCalculation } from "#app/routes/public/fee-calculator";
import { type FormDraft, formDraftCookie, readFormDraft } from "#app/server/pages/form-draft-cookie";
import { runOrRefuseBusy } from "#app/server/pages/hashing-overload";
import { actorOf, goTo, postedForm, safeNextPath } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { readDocumentFacts } from "#app/server/texts/document-facts";
import { announcedChange } from "#app/server/texts/documents-change";
import { currentTime } from "#db/clock";
import { forgotPasswordInput, loginInput, passkeyAssertionForm, registerInput } from "#forms/identity";
import { getTranslator } from "#locales";
import {
  type Actor,
  forgotPassword,
  passkeyTicketOf,
  registerUser,
  signInWithPasskey,
  signInWithPassword,
} from "#modules/identity";
import { paths } from "../../paths.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { signUpPath } from "../../ui/frame/sign-in-paths.ts";
import { Page } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/landing.ts";
import { AuthPanel } from "./landing/auth-panel.tsx";
import { Reminders, Summary } from "./landing/closing.tsx";
import { Fees } from "./landing/fees.tsx";
import { Features, Guide } from "./landing/guide.tsx";
import { Khadag } from "./landing/khadag.tsx";
import { Problems, Protection } from "./landing/protection.tsx";

export function loader({ context, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const query = new URL(request.url).searchParams;
  const next = safeNextPath(query.get("next"), paths.chat);
  if (actor.kind === "user") throw goTo(next);
  const t = getTranslator(actor.language);
  const calculator: FeeCalculation = calculateFees(query);
  const kept = ["next", "tab"].flatMap((name) => query.getAll(name).map((value) => [name, value]));
  return data(
    {
      title: `${t("landing.title")} · ${t("brand")}`,
      description: t("landing.description"),
      show: firstFormIn(query),
      sent: query.has("sent"),
      next,
      typed: readFormDraft(request),
      calculator,
      kept: Object.fromEntries(kept) as Record<string, string>,
      figures: readDocumentFacts(actor.language),
      documentsChange: announcedChange(currentTime(), actor.language),
    },
    { status: calculator.error === null ? 200 : 422 },
  );
}

function firstFormIn(query: URLSearchParams): "login" | "register" | "forgot" {
  if (query.get("dialog") === "forgot-password") return "forgot";
  return query.get("tab") === "register" ? "register" : "login";
}

export async function action({ context, request }: Route.ActionArgs) {
  const body = await postedForm(request);
  const actor = actorOf(context);
  const next = safeNextPath(new URL(request.url).searchParams.get("next"), paths.chat);
  const form = body.get("form");
  if (form === "register") return signUp(actor, body, request, next);
  if (form === "forgot") return mailLink(actor, body, next);
  if (form === "passkey") return signInByPasskey(actor, body, request, next);
  return signIn(actor, body, request, next);
}

async function signIn(actor: Actor, body: FormData, request: Request, next: string) {
  const form = readForm("login", body, loginInput);
  if (!form.ok) return form.answer;
  const done = await runOrRefuseBusy(() => signInWithPassword(actor, form.value));
  if (done.ok) return finishSignIn(done, { request, next });
  return done.code === "SECOND_FACTOR_REQUIRED" ? askForSignInCode(done, request, next) : form.refuse(done);
}

async function signInByPasskey(actor: Actor, body: FormData, request: Request, next: string) {
  const form = readForm("passkey", body, passkeyAssertionForm);
  if (!form.ok) return form.answer;
  const done = await signInWithPasskey(actor, { ...form.value, ticket: passkeyTicketOf(request) });
  return done.ok ? finishSignIn(done, { request, next }) : form.refuse(done);
}

async function signUp(actor: Actor, body: FormData, request: Request, next: string) {
  const form = readForm("register", body, registerInput);
  if (!form.ok) return form.answer;
  const done = await runOrRefuseBusy(() => registerUser(actor, form.value));
  if (done.ok) return finishSignIn(done, { request, next });
  if (done.code !== "EMAIL_EXISTS") return form.refuse(done);
  // A person who already has an account is taken to the sign-in tab, where a forgotten password can be reset.
  const { username, displayName, email, avatarInitials } = form.value;
  const typed = { username, displayName, email, avatarInitials: avatarInitials ?? undefined };
  return redirectKeepingForm(`${paths.landing}?${nextQuery(next)}#auth`, typed, "error", "toast.emailExists");
}

async function mailLink(actor: Actor, body: FormData, next: string) {
  const form = readForm("forgot", body, forgotPasswordInput);
  if (!form.ok) return form.answer;
  const done = await forgotPassword(actor, form.value);
  if (!done.ok) return form.refuse(done);
  const { email } = form.value;
  const sent = `${paths.landing}?dialog=forgot-password&sent&${nextQuery(next)}#auth`;
  return redirectKeepingForm(sent, { email }, "success", "toast.resetSent");
}

function redirectKeepingForm(to: string, typed: FormDraft, kind: "error" | "success", key: string): Response {
  return goTo(to, { kind, key }, new Headers({ "Set-Cookie": formDraftCookie(typed) }));
}

const nextQuery = (next: string) => `next=${encodeURIComponent(next)}`;

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.title },
  { name: "description", content: loaderData?.description },
];

export default function Landing() {
  const t = useT();
  const { calculator, kept, figures, ...auth } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6 md:grid-cols-[minmax(0,1fr)_23rem] md:grid-rows-[auto_1fr]">
        <div className="grid gap-3">
          <h1 className="text-3xl font-extrabold tracking-tight lg:text-5xl">{t("landing.title")}</h1>
          <p className="max-w-xl text-lg text-quiet">{t("landing.description")}</p>
        </div>
        <div className="md:col-start-2 md:row-span-2 md:row-start-1">
          <AuthPanel {...auth} resetLink={figures.resetLink ?? ""} posted={posted} />
        </div>
        <Khadag />
      </div>
      <Guide figures={figures} />
      <Features />
      <Protection figures={figures} />
      <Fees shown={calculator} kept={kept} figures={figures} />
      <Problems figures={figures} />
      <Reminders figures={figures} />
      <Summary signUp={signUpPath(auth.next)} />
    </Page>
  );
}
