import { Elysia } from "elysia";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import { parseOptionalBody, replySuccess } from "../core/route-replies.ts";
import { saveBankInfo } from "../information/bank-account.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { confirmInfo, shareInfo } from "../information/share-information.ts";
import { readInfoExchange } from "../information/view.ts";
import type { Trade } from "../machine/trade-types.ts";
import * as calls from "./exchange-operations.ts";
import {
  confirmCompletion,
  declineCancellation,
  handOver,
  requestCancellation,
  withdrawCancellation,
} from "./party-commands.ts";
import { transactionView } from "./view/transaction-view.ts";

const transactionPath = "/api/transactions/:id";
const params = forms.pathId;
const bodilessOptions = { params, parse: "none" } as const;

/** Routes of the information exchange. */
export const informationRoutes = new Elysia({ name: "escrow.informing" })
  .use(withActor)
  .get(
    `${transactionPath}/info-exchange`,
    async ({ actor, params: { id } }) => {
      const answer = await readInfoExchange(actor, id);
      return answer.ok ? answer.exchange : answer;
    },
    { params, detail: calls.showInformation },
  )
  .post(
    `${transactionPath}/info-exchange`,
    ({ actor, params: { id }, body }) =>
      respondToSharing(actor, id, () => shareInfo(actor, id, body), "infoShared"),
    { params, body: forms.shareInfoSchema, detail: calls.shareInformation },
  )
  .post(
    `${transactionPath}/info-exchange/confirm`,
    async ({ actor, params: { id }, body }) => {
      const answer = await confirmInfo(actor, id, body);
      if (!answer.ok) return answer;
      return withExchange(actor, id, replySuccess(actor, answer.both ? "infoBoth" : "infoWaiting"));
    },
    { params, body: forms.confirmInfoSchema, parse: parseOptionalBody, detail: calls.confirmInformation },
  )
  .post(
    `${transactionPath}/bank-info`,
    ({ actor, params: { id }, body }) => {
      const word = body.infoType === "seller" ? "bankInfoSaved" : "contactSaved";
      return respondToSharing(actor, id, () => saveBankInfo(actor, id, body), word);
    },
    { params, body: forms.saveBankInfoSchema, detail: calls.saveBankInfo },
  )
  .post(
    `${transactionPath}/refund-destination`,
    async ({ actor, params: { id }, body }) => {
      const answer = await saveRefundDestination(actor, id, body);
      return answer.ok ? replySuccess(actor, "refundAccountSaved") : answer;
    },
    { params, body: forms.refundDestinationSchema, detail: calls.saveRefundAccount },
  );

async function respondToSharing<R extends { ok: false }>(
  actor: Actor,
  id: number,
  tell: () => Promise<{ ok: true } | R>,
  word: string,
) {
  const answer = await tell();
  return answer.ok ? withExchange(actor, id, replySuccess(actor, word)) : answer;
}

async function withExchange(actor: Actor, id: number, said: { success: true; message: string }) {
  const seen = await readInfoExchange(actor, id);
  return seen.ok ? { ...said, infoExchange: seen.exchange } : said;
}

/** Routes from the handover to the end: both parties confirm, or both cancel. */
export const exchangeRoutes = new Elysia({ name: "escrow.exchanging" })
  .use(withActor)
  .post(
    `${transactionPath}/hand-over`,
    async ({ actor, params: { id }, body }) => {
      const answer = await handOver(actor, id, body);
      return answer.ok
        ? { ...replySuccess(actor, "handedOver"), transaction: transactionView(answer.trade) }
        : answer;
    },
    { params, body: forms.handOverSchema, parse: parseOptionalBody, detail: calls.handOverGoods },
  )
  .post(
    `${transactionPath}/complete`,
    async ({ actor, params: { id }, body }) => {
      const answer = await confirmCompletion(actor, id, body);
      if (!answer.ok) return answer;
      const { trade } = answer;
      const both = trade.buyerCompletedAt !== null && trade.sellerCompletedAt !== null;
      const waits = trade.status === "exchange_completed";
      return respondWithTransaction(
        actor,
        trade,
        both ? "completionBoth" : waits ? "completionWaiting" : "completionRecorded",
      );
    },
    { params, body: forms.confirmTradeSchema, parse: parseOptionalBody, detail: calls.confirmCompletion },
  )
  .post(
    `${transactionPath}/cancel`,
    async ({ actor, params: { id }, body }) => {
      const answer = await requestCancellation(actor, id, body);
      if (!answer.ok) return answer;
      const { trade } = answer;
      return respondWithTransaction(
        actor,
        trade,
        trade.status === "cancelled" ? "cancelBoth" : "cancelWaiting",
      );
    },
    { params, body: forms.cancelTradeSchema, parse: parseOptionalBody, detail: calls.requestCancellation },
  )
  .post(
    `${transactionPath}/decline-cancel`,
    async ({ actor, params: { id }, body }) => {
      const answer = await declineCancellation(actor, id, body);
      if (!answer.ok) return answer;
      return respondWithTransaction(
        actor,
        answer.trade,
        answer.changed ? "cancelDeclined" : "cancelNotDeclined",
      );
    },
    { params, body: forms.declineCancellationSchema, detail: calls.declineCancellation },
  )
  .post(
    `${transactionPath}/withdraw-cancel`,
    async ({ actor, params: { id } }) => {
      const answer = await withdrawCancellation(actor, id);
      if (!answer.ok) return answer;
      return respondWithTransaction(
        actor,
        answer.trade,
        answer.changed ? "cancelWithdrawn" : "cancelNotWithdrawn",
      );
    },
    { ...bodilessOptions, detail: calls.withdrawCancellation },
  );

function respondWithTransaction(actor: Actor, trade: Trade, word: string) {
  return { ...replySuccess(actor, word), transaction: transactionView(trade) };
}
