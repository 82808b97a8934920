import { Elysia } from "elysia";
import { type Actor, nextPage, withActor } from "#modules/identity";
import * as forms from "../../../forms.ts";
import type { TradeRefusal, TradeResult } from "../../core/outcomes.ts";
import { parseOptionalBody, replySuccess } from "../../core/route-replies.ts";
import { giveBackDispute, takeDispute, writeAsMediator } from "../../disputes/mediate.ts";
import { previewRuling, ruleDispute } from "../../disputes/rule.ts";
import { confirmRuling, withdrawRuling } from "../../disputes/rulings/confirm.ts";
import { notifyParties } from "../../notifications/notify-parties.ts";
import { pageOf } from "../../trade/view/history.ts";
import { transactionView } from "../../trade/view/transaction-view.ts";
import { adminStats } from "../figures/stats.ts";
import { confirmManualPayment } from "../manual-payments/confirm.ts";
import { discardManualPayment } from "../manual-payments/discard.ts";
import { namePayoutStep } from "../payouts/step-words.ts";
import { workQueue } from "../work-queue/work-queue.ts";
import { adminCancel, adminComplete, adminPaySeller, deleteTransaction } from "./administrator-commands.ts";
import { moneyStatesOf, transactionListSchema } from "./list-query.ts";
import { adminTrades } from "./list-trades.ts";
import * as calls from "./operations.ts";
import { settleTrade } from "./settle-trade.ts";
import { adminTrade } from "./transaction-view.ts";

const adminTransactionPath = "/api/admin/transactions/:id";
const params = forms.pathId;
const bodilessOptions = { params, parse: "none" } as const;

/** Routes by which administrators read trades. The list is an array; the `Link` header names its next page. */
export const adminTransactionRoutes = new Elysia({ name: "escrow.overseeing" })
  .use(withActor)
  .get(
    "/api/admin/stats",
    async ({ actor }) => {
      const answer = await adminStats(actor);
      return answer.ok ? answer.stats : answer;
    },
    { detail: calls.showStats },
  )
  .get(
    "/api/admin/queue",
    async ({ actor }) => {
      const answer = await workQueue(actor);
      return answer.ok ? answer.queue : answer;
    },
    { detail: calls.showWorkQueue },
  )
  .get(
    "/api/admin/transactions",
    async ({ actor, query, request, set }) => {
      const filter = { ...query, money: moneyStatesOf(query.money), limit: query.limit + 1 };
      const answer = await adminTrades(actor, filter);
      if (!answer.ok) return answer;
      const { shown, next } = pageOf(answer.transactions, query.limit);
      if (next !== null) set.headers.link = nextPage(request, next);
      return shown;
    },
    { query: transactionListSchema, detail: calls.listTransactions },
  )
  .get(
    adminTransactionPath,
    async ({ actor, params: { id } }) => {
      const answer = await adminTrade(actor, id);
      return answer.ok ? answer.detail : answer;
    },
    { params, detail: calls.showTransaction },
  );

/** Routes by which administrators decide about trades. Calls whose body may be missing work without one. */
export const adminDecisionRoutes = new Elysia({ name: "escrow.deciding" })
  .use(withActor)
  .post(
    `${adminTransactionPath}/notify`,
    async ({ actor, params: { id } }) => {
      const answer = await notifyParties(actor, id);
      return answer.ok ? replySuccess(actor, "notified") : answer;
    },
    { ...bodilessOptions, detail: calls.notifyParties },
  )
  .post(
    `${adminTransactionPath}/complete`,
    ({ actor, params: { id }, body }) =>
      respondToDecision(actor, "completed", adminComplete(actor, id, body)),
    {
      params,
      body: forms.completeTradeSchema,
      parse: parseOptionalBody,
      detail: calls.completeAsAdministrator,
    },
  )
  .post(
    `${adminTransactionPath}/pay-seller`,
    ({ actor, params: { id }, body }) =>
      respondToDecision(actor, "sellerDue", adminPaySeller(actor, id, body)),
    { params, body: forms.decideHeldMoneySchema, detail: calls.paySeller },
  )
  .post(
    `${adminTransactionPath}/cancel`,
    ({ actor, params: { id }, body }) => respondToDecision(actor, "cancelled", adminCancel(actor, id, body)),
    {
      params,
      body: forms.cancelAsAdministratorSchema,
      parse: parseOptionalBody,
      detail: calls.cancelAsAdministrator,
    },
  )
  .delete(
    adminTransactionPath,
    ({ actor, params: { id } }) => respondToDecision(actor, "deleted", deleteTransaction(actor, id)),
    {
      ...bodilessOptions,
      detail: calls.hideTransaction,
    },
  )
  .post(
    `${adminTransactionPath}/settle`,
    async ({ actor, params: { id }, body }) => {
      const answer = await settleTrade(actor, id, body);
      if (!answer.ok) return answer;
      const word = namePayoutStep("settled", answer.payout);
      return { ...replySuccess(actor, word), transaction: transactionView(answer.trade) };
    },
    {
      params,
      body: forms.settleTradeSchema,
      detail: calls.settlePayout,
    },
  )
  .post(
    `${adminTransactionPath}/rule`,
    async ({ actor, params: { id }, body }) => {
      const answer = await ruleDispute(actor, id, body);
      if (!answer.ok) return answer;
      const word = answer.state === "ruled" ? "ruled" : "rulingProposed";
      return {
        ...replySuccess(actor, word),
        state: answer.state,
        transaction: transactionView(answer.trade),
      };
    },
    { params, body: forms.rulingSchema, detail: calls.giveRuling },
  )
  .post(
    `${adminTransactionPath}/rule/confirm`,
    ({ actor, params: { id }, body }) => respondToDecision(actor, "ruled", confirmRuling(actor, id, body)),
    { params, body: forms.confirmRulingSchema, detail: calls.confirmProposedRuling },
  )
  .post(
    `${adminTransactionPath}/rule/withdraw`,
    ({ actor, params: { id }, body }) =>
      respondToDecision(actor, "rulingWithdrawn", withdrawRuling(actor, id, body)),
    { params, body: forms.withdrawRulingSchema, detail: calls.withdrawRuling },
  )
  .post(
    `${adminTransactionPath}/confirm-payment`,
    async ({ actor, params: { id }, body }) => {
      const answer = await confirmManualPayment(actor, id, body);
      if (!answer.ok) return answer;
      const word = answer.state === "confirmed" ? "handConfirmed" : "handProposed";
      return {
        ...replySuccess(actor, word),
        state: answer.state,
        transaction: transactionView(answer.trade),
      };
    },
    { params, body: forms.manualPaymentSchema, detail: calls.recordManualPayment },
  )
  .post(
    `${adminTransactionPath}/confirm-payment/lay-aside`,
    ({ actor, params: { id }, body }) =>
      respondToDecision(actor, "handLaidAside", discardManualPayment(actor, id, body)),
    { params, body: forms.dismissManualPaymentSchema, detail: calls.discardManualPayment },
  );

/** Routes by which administrators mediate a dispute. */
export const mediationRoutes = new Elysia({ name: "escrow.mediating" })
  .use(withActor)
  .post(
    `${adminTransactionPath}/dispute/take`,
    ({ actor, params: { id } }) => respondToDecision(actor, "disputeTaken", takeDispute(actor, id)),
    { ...bodilessOptions, detail: calls.takeDispute },
  )
  .post(
    `${adminTransactionPath}/dispute/give-back`,
    ({ actor, params: { id } }) => respondToDecision(actor, "disputeGivenBack", giveBackDispute(actor, id)),
    { ...bodilessOptions, detail: calls.returnDispute },
  )
  .post(
    `${adminTransactionPath}/dispute/message`,
    ({ actor, params: { id }, body }) =>
      respondToDecision(actor, "mediatorWrote", writeAsMediator(actor, id, body)),
    { params, body: forms.mediatorMessageSchema, detail: calls.writeAsMediator },
  )
  .post(
    `${adminTransactionPath}/rule/preview`,
    async ({ actor, params: { id }, body }) => {
      const answer = await previewRuling(actor, id, body);
      return answer.ok ? answer.ruling : answer;
    },
    { params, body: forms.previewRulingSchema, detail: calls.previewRuling },
  );

async function respondToDecision(actor: Actor, word: string, verb: Promise<TradeResult | TradeRefusal>) {
  const answer = await verb;
  return answer.ok ? { ...replySuccess(actor, word), transaction: transactionView(answer.trade) } : answer;
}
