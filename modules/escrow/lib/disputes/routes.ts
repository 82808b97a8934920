import { Elysia } from "elysia";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import type { Done, Refused } from "../core/outcomes.ts";
import { done } from "../core/route-words.ts";
import { transactionView } from "../trade/view/transaction-view.ts";
import { explainDispute, openDispute, withdrawDispute } from "./open-dispute.ts";
import * as calls from "./operations.ts";

const at = "/api/transactions/:id/dispute";
const params = forms.pathId;

/** What the parties may do in a dispute; the ruling is among the administrators' calls. */
export const disputing = new Elysia({ name: "escrow.disputing" })
  .use(withActor)
  .post(
    at,
    ({ actor, params: { id }, body }) => said(actor, "disputeOpened", () => openDispute(actor, id, body)),
    {
      params,
      body: forms.dispute,
      detail: calls.open,
    },
  )
  .post(
    `${at}/statement`,
    ({ actor, params: { id }, body }) =>
      said(actor, "disputeExplained", () => explainDispute(actor, id, body)),
    { params, body: forms.dispute, detail: calls.explain },
  )
  .post(
    `${at}/withdraw`,
    ({ actor, params: { id } }) => said(actor, "disputeWithdrawn", () => withdrawDispute(actor, id)),
    { params, parse: "none", detail: calls.withdraw },
  );

async function said(actor: Actor, word: string, verb: () => Promise<Done | Refused>) {
  const answer = await verb();
  return answer.ok ? { ...done(actor, word), transaction: transactionView(answer.trade) } : answer;
}
