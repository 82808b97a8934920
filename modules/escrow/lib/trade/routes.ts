import { Elysia } from "elysia";
import { currentTime } from "#db/clock";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import { replySuccess } from "../core/route-replies.ts";
import { verifyPayment } from "../payment/check-payment.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { markPaid } from "../payment/mark-paid.ts";
import type { PaymentFinding } from "../payment/payment-finding.ts";
import { amendTrade } from "./amend-trade.ts";
import { createTrade } from "./create-trade.ts";
import * as calls from "./operations.ts";
import { readTradeMessages, sendTradeMessage } from "./trade-messages.ts";
import { historyOf } from "./view/history.ts";
import { readTradeSteps } from "./view/step-views.ts";
import { invoiceView, readTrade, tradeOfRoom } from "./view/trade-view.ts";
import { transactionView } from "./view/transaction-view.ts";
import { withdrawRequest } from "./withdraw-request.ts";

const transactionPath = "/api/transactions/:id";
const params = forms.pathId;
/** Routes without a body do not parse one: an empty body with `Content-Type: application/json` is no error. */
const bodilessOptions = { params, parse: "none" } as const;

/** Routes that read trades. They return refusals as they are: the listener adds their texts. */
export const tradeRoutes = new Elysia({ name: "escrow.reading" })
  .use(withActor)
  .get(
    "/api/transactions",
    async ({ actor, query }) => {
      const answer = await historyOf(actor, query);
      return answer.ok ? answer.transactions : answer;
    },
    { query: forms.pageQuerySchema, detail: calls.listOwnTransactions },
  )
  .get(
    transactionPath,
    async ({ actor, params: { id } }) => {
      const answer = await readTrade(actor, id);
      return answer.ok ? answer.trade : answer;
    },
    { params, detail: calls.showOwnTransaction },
  )
  .get(
    `${transactionPath}/steps`,
    async ({ actor, params: { id } }) => {
      const answer = await readTradeSteps(actor, id);
      return answer.ok ? answer.steps : answer;
    },
    { params, detail: calls.listSteps },
  )
  .get("/api/chat/rooms/:id/transactions", ({ actor, params: { id } }) => transactionsOfRoom(actor, id), {
    params,
    detail: calls.showTransactionOfRoom,
  });

/** A room has one trade or none; a hidden trade is in no list. */
async function transactionsOfRoom(actor: Actor, roomId: number) {
  const answer = await tradeOfRoom(actor, roomId);
  if (!answer.ok) return answer;
  return answer.trade === null || answer.trade.hidden ? [] : [answer.trade];
}

/** Routes of a trade's messages, which are those of its room. */
export const messageRoutes = new Elysia({ name: "escrow.talking" })
  .use(withActor)
  .get(
    `${transactionPath}/messages`,
    async ({ actor, params: { id }, query }) => {
      const answer = await readTradeMessages(actor, id, query);
      return answer.ok ? answer.messages : answer;
    },
    { params, detail: calls.listMessages },
  )
  .post(
    `${transactionPath}/messages`,
    async ({ actor, params: { id }, body, set }) => {
      const answer = await sendTradeMessage(actor, id, body);
      if (!answer.ok) return answer;
      set.status = 201;
      return answer.message;
    },
    { params, detail: calls.sendTradeMessage },
  );

/** Routes of the payment request and its payment. */
export const paymentRequestRoutes = new Elysia({ name: "escrow.paying" })
  .use(withActor)
  .post(
    "/api/transactions",
    async ({ actor, body, set }) => {
      const answer = await createTrade(actor, body);
      if (!answer.ok) return answer;
      if (answer.changed) set.status = 201;
      return { ...replySuccess(actor, "created"), ...transactionView(answer.trade) };
    },
    { body: forms.createTradeSchema, detail: calls.createTransaction },
  )
  .patch(transactionPath, ({ actor, params: { id }, body }) => respondToAmendment(actor, id, body), {
    params,
    body: forms.amendTradeSchema,
    detail: calls.amendTransaction,
  })
  .post(
    `${transactionPath}/amend`,
    ({ actor, params: { id }, body }) => respondToAmendment(actor, id, body),
    {
      params,
      body: forms.amendTradeSchema,
      detail: calls.amendTransactionByPost,
    },
  )
  .post(
    `${transactionPath}/withdraw`,
    async ({ actor, params: { id } }) => {
      const answer = await withdrawRequest(actor, id);
      return answer.ok
        ? { ...replySuccess(actor, "withdrawn"), transaction: transactionView(answer.trade) }
        : answer;
    },
    { ...bodilessOptions, detail: calls.withdrawRequest },
  )
  .post(
    `${transactionPath}/payment`,
    async ({ actor, params: { id } }) => {
      const answer = await issueInvoice(actor, id);
      return answer.ok
        ? { success: true, transactionId: id, ...invoiceView(answer.invoice, currentTime()) }
        : answer;
    },
    { ...bodilessOptions, detail: calls.issuePaymentInvoice },
  )
  .post(
    `${transactionPath}/mark-paid`,
    async ({ actor, params: { id } }) => {
      const answer = await markPaid(actor, id);
      if (!answer.ok) return answer;
      const { finding, trade } = answer;
      // The mark itself was accepted; the finding replaces its text only if it says more than "not yet".
      const word = finding.kind === "nothing" || finding.kind === "unanswered" ? "markedPaid" : undefined;
      return { ...respondWithFinding(actor, finding, word), status: trade.status };
    },
    { ...bodilessOptions, detail: calls.markAsPaid },
  )
  .post(
    `${transactionPath}/verify`,
    async ({ actor, params: { id } }) => {
      const answer = await verifyPayment(actor, id);
      if (!answer.ok) return answer;
      const { finding, trade } = answer;
      return {
        ...respondWithFinding(actor, finding),
        success: finding.kind === "confirmed",
        status: trade.status,
      };
    },
    { ...bodilessOptions, detail: calls.verifyOwnPayment },
  );

async function respondToAmendment(actor: Actor, id: number, body: forms.AmendInput) {
  const answer = await amendTrade(actor, id, body);
  return answer.ok ? { ...replySuccess(actor, "amended"), ...transactionView(answer.trade) } : answer;
}

/** A reply with a payment's finding, as a code for programs (`finding`) and as text. */
function respondWithFinding(actor: Actor, { kind, amount, rest }: PaymentFinding, word = `finding.${kind}`) {
  return { ...replySuccess(actor, word, { amount, rest }), finding: kind };
}
