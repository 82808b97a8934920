import { Elysia } from "elysia";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import type { TradeResult } from "../core/outcomes.ts";
import { parseOptionalBody, replySuccess } from "../core/route-replies.ts";
import { transactionView } from "../trade/view/transaction-view.ts";
import { explainDispute, openDispute, withdrawDispute } from "./open-dispute.ts";
import * as calls from "./operations.ts";

const disputePath = "/api/transactions/:id/dispute";
const params = forms.pathId;

/** The parties' calls in a dispute; rulings are among the administrators' calls. */
export const disputeRoutes = new Elysia({ name: "escrow.disputing" })
  .use(withActor)
  .post(
    disputePath,
    ({ actor, params: { id }, body }) =>
      respondToDispute(actor, "disputeOpened", () => openDispute(actor, id, body)),
    {
      params,
      body: forms.disputeStatementSchema,
      detail: calls.openDispute,
    },
  )
  .post(
    `${disputePath}/statement`,
    ({ actor, params: { id }, body }) =>
      respondToDispute(actor, "disputeExplained", () => explainDispute(actor, id, body)),
    { params, body: forms.disputeStatementSchema, detail: calls.explainDispute },
  )
  .post(
    `${disputePath}/withdraw`,
    ({ actor, params: { id }, body }) =>
      respondToDispute(actor, "disputeWithdrawn", () => withdrawDispute(actor, id, body)),
    {
      params,
      body: forms.withdrawDisputeSchema,
      parse: parseOptionalBody,
      detail: calls.withdrawOpenDispute,
    },
  );

async function respondToDispute<Refused extends { ok: false }>(
  actor: Actor,
  word: string,
  verb: () => Promise<TradeResult | Refused>,
) {
  const answer = await verb();
  return answer.ok ? { ...replySuccess(actor, word), transaction: transactionView(answer.trade) } : answer;
}
