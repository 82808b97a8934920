import { Elysia } from "elysia";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import { done, whateverThereIs } from "../core/route-words.ts";
import { saveBankInfo } from "../information/bank-account.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { confirmInfo, shareInfo } from "../information/share.ts";
import { infoExchange } from "../information/view.ts";
import type { Trade } from "../machine/trade-types.ts";
import * as calls from "./exchange-operations.ts";
import { confirmCompletion, handOver, requestCancellation, withdrawCancellation } from "./party-commands.ts";
import { transactionView } from "./view/transaction-view.ts";

const at = "/api/transactions/:id";
const params = forms.pathId;
const bare = { params, parse: "none" } as const;

/** What the two sides tell each other (specification §7). */
export const informing = new Elysia({ name: "escrow.informing" })
  .use(withActor)
  .get(
    `${at}/info-exchange`,
    async ({ actor, params: { id } }) => {
      const answer = await infoExchange(actor, id);
      return answer.ok ? answer.exchange : answer;
    },
    { params, detail: calls.exchange },
  )
  .post(
    `${at}/info-exchange`,
    ({ actor, params: { id }, body }) => telling(actor, id, () => shareInfo(actor, id, body), "infoShared"),
    { params, body: forms.info, detail: calls.shareInformation },
  )
  .post(
    `${at}/info-exchange/confirm`,
    async ({ actor, params: { id }, body }) => {
      const answer = await confirmInfo(actor, id, body);
      if (!answer.ok) return answer;
      return withExchange(actor, id, done(actor, answer.both ? "infoBoth" : "infoWaiting"));
    },
    { params, body: forms.confirmInfo, parse: whateverThereIs, detail: calls.confirmInformation },
  )
  .post(
    `${at}/bank-info`,
    ({ actor, params: { id }, body }) => {
      const word = body.infoType === "seller" ? "bankInfoSaved" : "contactSaved";
      return telling(actor, id, () => saveBankInfo(actor, id, body), word);
    },
    { params, body: forms.bankInfo, detail: calls.bankInfo },
  )
  .post(
    `${at}/refund-destination`,
    async ({ actor, params: { id }, body }) => {
      const answer = await saveRefundDestination(actor, id, body);
      return answer.ok ? done(actor, "refundAccountSaved") : answer;
    },
    { params, body: forms.refundDestination, detail: calls.saveRefundAccount },
  );

async function telling<R extends { ok: false }>(
  actor: Actor,
  id: number,
  tell: () => Promise<{ ok: true } | R>,
  word: string,
) {
  const answer = await tell();
  return answer.ok ? withExchange(actor, id, done(actor, word)) : answer;
}

async function withExchange(actor: Actor, id: number, said: { success: true; message: string }) {
  const seen = await infoExchange(actor, id);
  return seen.ok ? { ...said, infoExchange: seen.exchange } : said;
}

/** From the hand-over to the end: both confirm, or both cancel (specification §4). */
export const exchanging = new Elysia({ name: "escrow.exchanging" })
  .use(withActor)
  .post(
    `${at}/hand-over`,
    async ({ actor, params: { id }, body }) => {
      const answer = await handOver(actor, id, body);
      return answer.ok
        ? { ...done(actor, "handedOver"), transaction: transactionView(answer.trade) }
        : answer;
    },
    { params, body: forms.handOver, parse: whateverThereIs, detail: calls.handOverGoods },
  )
  .post(
    `${at}/complete`,
    async ({ actor, params: { id } }) => {
      const answer = await confirmCompletion(actor, id);
      if (!answer.ok) return answer;
      const { trade } = answer;
      const both = trade.buyerCompletedAt !== null && trade.sellerCompletedAt !== null;
      const waits = trade.status === "exchange_completed";
      return answered(
        actor,
        trade,
        both ? "completionBoth" : waits ? "completionWaiting" : "completionRecorded",
      );
    },
    { ...bare, detail: calls.complete },
  )
  .post(
    `${at}/cancel`,
    async ({ actor, params: { id } }) => {
      const answer = await requestCancellation(actor, id);
      if (!answer.ok) return answer;
      const { trade } = answer;
      return answered(actor, trade, trade.status === "cancelled" ? "cancelBoth" : "cancelWaiting");
    },
    { ...bare, detail: calls.cancel },
  )
  .post(
    `${at}/withdraw-cancel`,
    async ({ actor, params: { id } }) => {
      const answer = await withdrawCancellation(actor, id);
      return answer.ok ? answered(actor, answer.trade, "cancelWithdrawn") : answer;
    },
    { ...bare, detail: calls.withdrawCancel },
  );

function answered(actor: Actor, trade: Trade, word: string) {
  return { ...done(actor, word), transaction: transactionView(trade) };
}
