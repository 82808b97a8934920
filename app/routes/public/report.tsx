import { data, type HeadersArgs, useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, postedForm, requireMember } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { currentTime } from "#db/clock";
import { formatWhen } from "#format";
import { fileReportSchema } from "#forms/escrow";
import { getTranslator } from "#locales";
import { fileReport, previewReport } from "#modules/escrow";
import type { Actor } from "#modules/identity";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { PageStatusCard } from "../../ui/frame/page-status-card.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/report.ts";
import { ReportForm } from "./report/report-form.tsx";

/** The length of a message's excerpt, in characters; enough to tell it from the others. */
const excerptLength = 60;

/** A report of the other person in a room or of their message; or, open to everyone, of a transaction code. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const asked = subjectIn(query);
  const actor = requireReporter(context, request, asked.about);
  const t = getTranslator(actor.language);
  const answer = await previewReport(actor, asked);
  const visitor = actor.kind !== "user";
  const page = { title: t("report.title"), visitor, clientId: crypto.randomUUID(), busy: false };
  const nothing = { ...page, name: null, subject: null };
  if (!answer.ok && answer.code === "THROTTLED") {
    const headers = { "Retry-After": String(answer.retryAfterSeconds) };
    return data({ ...nothing, title: t("pages.throttled"), busy: true }, { status: 429, headers });
  }
  if (!answer.ok) return data(nothing, { status: 404 });
  const found = answer.shown;
  const { about, roomId, personId, messageId } = found.subject;
  const label = ({ content, createdAt }: (typeof found.messages)[number]) =>
    `${formatWhen(createdAt, currentTime(), actor.language)} ${[...(content || t("report.picture"))].slice(0, excerptLength).join("")}`;
  const subject = {
    about,
    ...{ roomId: roomId ?? null, personId: personId ?? found.personId, messageId: messageId ?? null },
    code: found.code,
    messages: found.messages.map((message) => ({ id: message.id, label: label(message) })),
  };
  return data({ ...page, name: found.name, subject });
}

/** A visitor may report a code; a member must first complete what `requireMember` requires. */
function requireReporter(context: Route.LoaderArgs["context"], request: Request, about: unknown): Actor {
  const actor = actorOf(context);
  return about === "code" && actor.kind === "visitor" ? actor : requireMember(context, request);
}

function subjectIn(query: URLSearchParams): Record<string, string> {
  const [code, room, person, message] = ["code", "room", "person", "message"].map(
    (name) => query.get(name) ?? "",
  );
  const about = code ? "code" : message ? "message" : "person";
  return { about, code: code ?? "", roomId: room ?? "", personId: person ?? "", messageId: message ?? "" };
}

export async function action({ context, request }: Route.ActionArgs) {
  const body = await postedForm(request);
  const actor = requireReporter(context, request, body.get("about"));
  if (body.get("about") !== "code") body.set("about", body.get("messageId") ? "message" : "person");
  const form = readForm("report", body, fileReportSchema);
  if (!form.ok) return form.answer;
  const done = await fileReport(actor, form.value);
  if (!done.ok) return form.refuse(done);
  const { roomId, code } = form.value;
  const toast = { kind: "success", key: "toast.reported", params: { number: done.number } } as const;
  return goTo(roomId === undefined ? paths.verify(code ?? "") : paths.room(roomId), toast);
}

/** Keeps the headers of the action's response, and the Retry-After of a refused loader. */
export function headers(replies: HeadersArgs): Headers {
  const kept = new Headers(forwardActionHeaders(replies));
  const wait = replies.loaderHeaders.get("Retry-After");
  if (wait !== null) kept.set("Retry-After", wait);
  return kept;
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.title },
  { name: "robots", content: "noindex" },
];

export default function Report() {
  const t = useT();
  const { subject, name, visitor, clientId, busy } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  if (busy && posted === null) {
    return (
      <Page width="narrow">
        <PageStatusCard pageStatus={429} />
      </Page>
    );
  }
  if (subject === null && posted === null) return <NothingToReport />;
  const what = subject ?? { about: "code" as const, ...unknownSubject };
  return (
    <Page width="narrow">
      <PageHead title={t("report.title")} lead={t("report.lead")} />
      {what.code !== null && <p className="font-semibold">{t("report.about.code", { code: what.code })}</p>}
      {name !== null && <p className="font-semibold wrap-anywhere">{t("report.about.person", { name })}</p>}
      <ReportForm subject={what} visitor={visitor} clientId={clientId} posted={posted} />
    </Page>
  );
}

/** The form came back without its address: its own fields hold the subject. */
const unknownSubject = { roomId: null, personId: null, messageId: null, code: null, messages: [] };

function NothingToReport() {
  const t = useT();
  return (
    <Page width="narrow">
      <PageHead title={t("report.gone")} lead={t("report.gonePlace")} />
      <Card>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={paths.verifyForm}>{t("verify.title")}</ButtonLink>
          <ButtonLink to={paths.support}>{t("support.title")}</ButtonLink>
        </div>
      </Card>
    </Page>
  );
}
