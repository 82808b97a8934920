import { useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, postedForm } from "#app/server/pages/page-context";
import { readForm } from "#app/server/pages/posted-forms";
import { readDocumentFacts } from "#app/server/texts/document-facts";
import { formatHour, supportHours, supportOpeningAt } from "#app/server/texts/support-hours";
import { config, isExample, isTrial } from "#config";
import { currentTime } from "#db/clock";
import { formatLongDay, formatMoney } from "#format";
import { askSupportSchema, readTransactionCode, supportTopics, visitorSupportSchema } from "#forms/escrow";
import { getTranslator } from "#locales";
import { askSupport, historyOf, supportReceipt } from "#modules/escrow";
import type { Actor } from "#modules/identity";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/support.ts";
import { type ContactShown, Contacts } from "./support/contacts.tsx";
import { ChatHelp, PaymentHelp } from "./support/help.tsx";
import { Hours } from "./support/hours.tsx";
import { SentRequest } from "./support/sent-request.tsx";
import { SupportForm } from "./support/support-form.tsx";

/** The most of a person's own transactions that the form offers. */
const maxOfferedCodes = 20;

export async function loader({ context, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const query = new URL(request.url).searchParams;
  const t = getTranslator(actor.language);
  const { mailReply = "", stuckPayment = "" } = readDocumentFacts(actor.language);
  return {
    title: t("support.title"),
    description: t("support.description"),
    contacts: supportContacts(),
    hours: {
      ...supportOpeningAt(currentTime()),
      opens: formatHour(supportHours.opens),
      closes: formatHour(supportHours.closes),
    },
    reply: mailReply,
    stuck: stuckPayment,
    sent: (await supportReceipt(actor, query.get("sent") ?? "")) ?? null,
    asker: actor.kind === "user" ? { name: actor.displayName, email: actor.email } : null,
    codes: await ownCodes(actor),
    defaults: {
      topic: supportTopics.find((topic) => topic === query.get("topic")) ?? "",
      code: readTransactionCode(query.get("code") ?? "") ?? "",
      clientId: crypto.randomUUID(),
    },
  };
}

async function ownCodes(actor: Actor): Promise<Array<{ code: string; label: string }>> {
  const history = await historyOf(actor, { limit: maxOfferedCodes });
  const own = history.ok ? history.transactions : [];
  return own.map(({ transactionCode, amount, createdAt }) => ({
    code: transactionCode,
    label: `${formatMoney(amount)}, ${formatLongDay(createdAt, actor.language)}`,
  }));
}

/** Support's contacts. With real money, contacts that the operator has not set are left out, since an example reaches nobody. */
function supportContacts(): ContactShown[] {
  return allContacts().filter(({ example }) => isTrial() || !example);
}

function allContacts(): ContactShown[] {
  const { SUPPORT_EMAIL, SUPPORT_PHONE, SUPPORT_FACEBOOK, SUPPORT_INSTAGRAM } = config();
  const plain = (url: string) => url.replace(/^https:\/\/(www\.)?|\/$/g, "");
  return [
    {
      kind: "email",
      value: SUPPORT_EMAIL,
      href: `mailto:${SUPPORT_EMAIL}`,
      example: isExample("SUPPORT_EMAIL"),
    },
    {
      kind: "phone",
      value: SUPPORT_PHONE,
      href: `tel:${SUPPORT_PHONE.replace(/[^+\d]/g, "")}`,
      example: isExample("SUPPORT_PHONE"),
    },
    {
      kind: "facebook",
      value: plain(SUPPORT_FACEBOOK),
      href: SUPPORT_FACEBOOK,
      example: isExample("SUPPORT_FACEBOOK"),
    },
    {
      kind: "instagram",
      value: plain(SUPPORT_INSTAGRAM),
      href: SUPPORT_INSTAGRAM,
      example: isExample("SUPPORT_INSTAGRAM"),
    },
  ];
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = actorOf(context);
  const schema = actor.kind === "user" ? askSupportSchema : visitorSupportSchema;
  const form = readForm("support", await postedForm(request), schema);
  if (!form.ok) return form.answer;
  const done = await askSupport(actor, form.value);
  if (!done.ok) return form.refuse(done);
  const toast = { kind: "success", key: "toast.supportSent" } as const;
  return goTo(`${paths.support}?sent=${done.receipt}`, toast);
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.title },
  { name: "description", content: loaderData?.description },
];

export default function Support() {
  const t = useT();
  const shown = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { contacts, hours, reply, stuck, sent } = shown;
  const isSent = sent !== null && posted === null;
  // An example number does not help a person in a hurry.
  const phone = contacts.find(({ kind, example }) => kind === "phone" && !example)?.value ?? null;
  return (
    <Page>
      <PageHead title={t("support.title")} lead={isSent ? undefined : t("support.lead")}>
        {!isSent && <ButtonLink to="#write">{t("support.toForm")}</ButtonLink>}
      </PageHead>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-6">
          {isSent ? (
            <SentRequest {...sent} reply={reply} phone={phone} />
          ) : (
            <>
              <PaymentHelp stuck={stuck} />
              <ChatHelp />
              <SupportForm {...shown} posted={posted} />
            </>
          )}
        </div>
        <div className="grid gap-6">
          <Contacts contacts={contacts} reply={reply} />
          <Hours hours={hours} />
        </div>
      </div>
    </Page>
  );
}
