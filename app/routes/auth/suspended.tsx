import { data, useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, type PageContext, postedForm } from "#app/server/pages/page-context";
import { packMessage } from "#format";
import { getTranslator } from "#locales";
import { suspensionOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import { useText } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { FactList } from "../../ui/layout/fact-list.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import { SuspendedHelp } from "../../ui/layout/suspended-help.tsx";
import type { Route } from "./+types/suspended.ts";

/**
 * The page for a browser whose session a suspension ended: the reason, the last day, and how to reach support. The room's script shows
 * `#suspension` inside the room.
 */
export function loader({ context }: Route.LoaderArgs) {
  return answerWith(context, "");
}

/** Receives a form that `requireMember` forwarded, and shows the typed text to the person. */
export async function action({ context, request }: Route.ActionArgs) {
  const body = await postedForm(request);
  const content = body.get("content");
  return answerWith(context, typeof content === "string" ? content : "", factsIn(body));
}

/**
 * The other fields of members' forms that may hold a long text, each with its label. Secrets of a vault or a sign-in are not among them.
 */
const typedFacts = [
  ["accountName", "info.accountName"],
  ["bankName", "info.bankName"],
  ["accountNumber", "info.accountNumber"],
  ["ibanNumber", "info.ibanOptional"],
  ["bankAccount", "profile.bank"],
  ["phoneNumber", "info.phone"],
  ["email", "info.email"],
  ["info", "info.text"],
  ["reason", "trade.disputeReason"],
  ["note", "trade.handOverNote"],
  ["words", "report.wordsLabel"],
] as const;

type TypedFact = { label: (typeof typedFacts)[number][1]; value: string };

function factsIn(body: FormData): TypedFact[] {
  return typedFacts.flatMap(([name, label]) => {
    const value = body.get(name);
    return typeof value === "string" && value.trim() !== "" ? [{ label, value }] : [];
  });
}

/** Responds 403 with the unsent text. Redirects a person who is not suspended to the landing page. */
function answerWith(context: PageContext, unsent: string, facts: TypedFact[] = []) {
  const actor = actorOf(context);
  const suspension = suspensionOf(actor);
  if (suspension === undefined) throw goTo(paths.landing);
  const { textKey, params } = suspension;
  const title = getTranslator(actor.language)(
    params.until === undefined ? "auth.closedTitle" : "auth.suspendedTitle",
  );
  return data({ title, textKey, params, unsent, facts }, { status: 403 });
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Suspended() {
  const text = useText();
  const { title, textKey, params } = useLoaderData<typeof loader>();
  const { unsent = "", facts = [] } = useActionData<typeof action>() ?? {};
  return (
    <Page width="narrow">
      <PageHead title={title} />
      <Card>
        <div id="suspension" className="grid gap-3">
          <Notice tone="bad">{text(textKey, params)}</Notice>
          <SuspendedHelp errors={[packMessage(textKey, params)]} />
        </div>
        {unsent !== "" && (
          <label className="grid gap-1.5">
            <span className="font-semibold">{text("auth.suspendedUnsent")}</span>
            <textarea
              readOnly
              rows={4}
              defaultValue={unsent}
              className="w-full rounded-control border border-edge bg-page px-3 py-2 text-base"
            />
          </label>
        )}
        {facts.length > 0 && (
          <div className="grid gap-1.5">
            <p className="font-semibold">{text("auth.suspendedTyped")}</p>
            <FactList rows={facts.map(({ label, value }) => ({ label: text(label), value }))} />
          </div>
        )}
      </Card>
    </Page>
  );
}
