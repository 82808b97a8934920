import { Elysia } from "elysia";
import { type Actor, nextPage, withActor } from "#modules/identity";
import * as forms from "../../../forms.ts";
import type { Done, Refused } from "../../core/outcomes.ts";
import { done, whateverThereIs } from "../../core/route-words.ts";
import { giveBackDispute, takeDispute, writeAsMediator } from "../../disputes/mediate.ts";
import { previewRuling, ruleDispute } from "../../disputes/rule.ts";
import { confirmRuling, withdrawRuling } from "../../disputes/rulings/confirm.ts";
import { notifyParties } from "../../notifications/notify-parties.ts";
import { pageOf } from "../../trade/view/history.ts";
import { transactionView } from "../../trade/view/transaction-view.ts";
import { adminStats } from "../figures/stats.ts";
import { confirmByHand } from "../manual-payments/confirm.ts";
import { layProposalAside } from "../manual-payments/dismiss.ts";
import { workQueue } from "../work-queue/work-queue.ts";
import { adminCancel, adminComplete, adminPaySeller, deleteTransaction } from "./administrator-commands.ts";
import { deskQuery } from "./list-address.ts";
import { adminTrades } from "./list-trades.ts";
import * as calls from "./operations.ts";
import { settleTrade } from "./settle-trade.ts";
import { adminTrade } from "./transaction-view.ts";

const at = "/api/admin/transactions/:id";
const params = forms.pathId;
const bare = { params, parse: "none" } as const;

/** What administrators read of trades (specification §7, "Admin"). The list is an array; `Link` names its next page. */
export const overseeing = new Elysia({ name: "escrow.overseeing" })
  .use(withActor)
  .get(
    "/api/admin/stats",
    async ({ actor }) => {
      const answer = await adminStats(actor);
      return answer.ok ? answer.stats : answer;
    },
    { detail: calls.stats },
  )
  .get(
    "/api/admin/queue",
    async ({ actor }) => {
      const answer = await workQueue(actor);
      return answer.ok ? answer.queue : answer;
    },
    { detail: calls.queue },
  )
  .get(
    "/api/admin/transactions",
    async ({ actor, query, request, set }) => {
      const answer = await adminTrades(actor, { ...query, limit: query.limit + 1 });
      if (!answer.ok) return answer;
      const { shown, next } = pageOf(answer.transactions, query.limit);
      if (next !== null) set.headers.link = nextPage(request, next);
      return shown;
    },
    { query: deskQuery, detail: calls.listTransactions },
  )
  .get(
    at,
    async ({ actor, params: { id } }) => {
      const answer = await adminTrade(actor, id);
      return answer.ok ? answer.detail : answer;
    },
    { params, detail: calls.showTransaction },
  );

/** What administrators do to trades; the calls of the specification have no body. */
export const deciding = new Elysia({ name: "escrow.deciding" })
  .use(withActor)
  .post(
    `${at}/notify`,
    async ({ actor, params: { id } }) => {
      const answer = await notifyParties(actor, id);
      return answer.ok ? done(actor, "notified") : answer;
    },
    { ...bare, detail: calls.notify },
  )
  .post(
    `${at}/complete`,
    ({ actor, params: { id }, body }) => did(actor, "completed", adminComplete(actor, id, body)),
    { params, body: forms.complete, parse: whateverThereIs, detail: calls.completeAsAdministrator },
  )
  .post(
    `${at}/pay-seller`,
    ({ actor, params: { id }, body }) => did(actor, "sellerDue", adminPaySeller(actor, id, body)),
    { params, body: forms.decided, detail: calls.paySeller },
  )
  .post(`${at}/cancel`, ({ actor, params: { id } }) => did(actor, "cancelled", adminCancel(actor, id)), {
    ...bare,
    detail: calls.cancelAsAdministrator,
  })
  .delete(at, ({ actor, params: { id } }) => did(actor, "deleted", deleteTransaction(actor, id)), {
    ...bare,
    detail: calls.hideTransaction,
  })
  .post(
    `${at}/settle`,
    ({ actor, params: { id }, body }) => did(actor, "settled", settleTrade(actor, id, body)),
    {
      params,
      body: forms.settle,
      detail: calls.settlePayout,
    },
  )
  .post(
    `${at}/rule`,
    async ({ actor, params: { id }, body }) => {
      const answer = await ruleDispute(actor, id, body);
      if (!answer.ok) return answer;
      const word = answer.state === "ruled" ? "ruled" : "rulingProposed";
      return { ...done(actor, word), state: answer.state, transaction: transactionView(answer.trade) };
    },
    { params, body: forms.ruling, detail: calls.rule },
  )
  .post(
    `${at}/rule/confirm`,
    ({ actor, params: { id }, body }) => did(actor, "ruled", confirmRuling(actor, id, body)),
    { params, body: forms.confirmRuling, detail: calls.confirmRuling },
  )
  .post(
    `${at}/rule/withdraw`,
    ({ actor, params: { id }, body }) => did(actor, "rulingWithdrawn", withdrawRuling(actor, id, body)),
    { params, body: forms.withdrawRuling, detail: calls.withdrawRuling },
  )
  .post(
    `${at}/confirm-payment`,
    async ({ actor, params: { id }, body }) => {
      const answer = await confirmByHand(actor, id, body);
      if (!answer.ok) return answer;
      const word = answer.state === "confirmed" ? "handConfirmed" : "handProposed";
      return { ...done(actor, word), state: answer.state, transaction: transactionView(answer.trade) };
    },
    { params, body: forms.confirmByHand, detail: calls.recordManualPayment },
  )
  .post(
    `${at}/confirm-payment/lay-aside`,
    ({ actor, params: { id }, body }) => did(actor, "handLaidAside", layProposalAside(actor, id, body)),
    { params, body: forms.layAside, detail: calls.dismissManualPayment },
  );

/** What administrators do in a dispute. */
export const mediating = new Elysia({ name: "escrow.mediating" })
  .use(withActor)
  .post(
    `${at}/dispute/take`,
    ({ actor, params: { id } }) => did(actor, "disputeTaken", takeDispute(actor, id)),
    { ...bare, detail: calls.take },
  )
  .post(
    `${at}/dispute/give-back`,
    ({ actor, params: { id } }) => did(actor, "disputeGivenBack", giveBackDispute(actor, id)),
    { ...bare, detail: calls.returnDispute },
  )
  .post(
    `${at}/dispute/message`,
    ({ actor, params: { id }, body }) => did(actor, "mediatorWrote", writeAsMediator(actor, id, body)),
    { params, body: forms.mediation, detail: calls.mediate },
  )
  .post(
    `${at}/rule/preview`,
    async ({ actor, params: { id }, body }) => {
      const answer = await previewRuling(actor, id, body);
      return answer.ok ? answer.ruling : answer;
    },
    { params, body: forms.rulingAsked, detail: calls.previewRuling },
  );

async function did(actor: Actor, word: string, verb: Promise<Done | Refused>) {
  const answer = await verb;
  return answer.ok ? { ...done(actor, word), transaction: transactionView(answer.trade) } : answer;
}
