import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf, requireUser } from "#modules/identity";
import { lockRoom, type Seats } from "#modules/rooms";
import type { CreateTradeInput } from "../../forms.ts";
import { toTradeRow } from "../core/apply-command.ts";
import { carryOut, recordChange } from "../core/carry-out-effects.ts";
import { tradeOf } from "../core/load-trade.ts";
import { refuseAction, runAtomically, type TradeRefusal, type TradeResult } from "../core/outcomes.ts";
import { tradesTable } from "../core/schema.ts";
import { newCode } from "../core/transaction-code.ts";
import { writeSteps } from "../core/write-steps.ts";
import { lockTradeRow, writeDeadlines } from "../deadlines/deadlines.ts";
import { beginTrade } from "../machine/begin-trade.ts";
import { addDeadline } from "../machine/deadline-times.ts";
import { createMails, createNotice, isUnpaid } from "../machine/decision-helpers.ts";
import type { Trade } from "../machine/trade-types.ts";
import { throttleWrites } from "../notifications/throttles.ts";
import { lockBothAccounts } from "../privacy/account-deletion-guard.ts";
import { descriptionRefusal } from "./description-refusal.ts";
import { type Quote, type QuoteResult, quoteTrade } from "./fees.ts";
import { refuseRestrictedParties } from "./restricted-parties.ts";

/**
 * The seller requests a payment: the room's one trade begins, with its amounts fixed. Until it is paid, the same request again returns the
 * trade that it created. Refuses, in this order: AUTH_REQUIRED; VALIDATION (`descriptionRefusal`); THROTTLED; CHAT_ROOM_NOT_FOUND to anyone
 * who is not the room's buyer or seller; SELLERS_CREATE to the buyer; SELLER_MISMATCH (`sellerId` is not the room's seller);
 * AMOUNT_INVALID, NET_TOO_SMALL; FEE_MISMATCH (`serviceFee` is not Midman's fee; the right one is returned); TRADE_COMPLETED, TRADE_EXISTS
 * (one trade per room, whatever became of it); SEATS_EMPTY (the room has no buyer, or one of the accounts was deleted); ACCOUNT_LIMITED,
 * PERSON_UNAVAILABLE (an administrator has restricted this person, or the other one). `withQr`: the first invoice follows at once, so the
 * buyer is notified of the two hours that begin with it.
 */
export async function createTrade(
  actor: Actor,
  input: CreateTradeInput,
  { withQr = false }: { withQr?: boolean } = {},
) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const misleading = descriptionRefusal(input);
  if (misleading !== undefined) return misleading;
  const turn = await throttleWrites(actor);
  if (!turn.ok) return turn;
  const { userId } = user.member;
  const at = currentTime();
  return runAtomically(async (tx) => {
    const seats = await lockRoom(tx, input.chatRoomId);
    if (seats === undefined || (seats.buyerId !== userId && seats.sellerId !== userId)) {
      return refuseAction("CHAT_ROOM_NOT_FOUND");
    }
    if (seats.sellerId !== userId) return refuseAction("SELLERS_CREATE");
    if (input.sellerId !== undefined && input.sellerId !== userId) return refuseAction("SELLER_MISMATCH");
    const priced = priceRequest(input);
    if (!priced.ok) return priced;
    const asked = { goods: input.goods ?? "other", description: input.description ?? null };
    const earlier = await tradeOfRoom(tx, seats.roomId);
    if (earlier !== undefined) return answerRepeatedRequest(earlier, priced.quote, asked);
    if (!seats.active) return refuseAction("CHAT_ROOM_NOT_FOUND");
    if (seats.buyerId === null) return refuseAction("SEATS_EMPTY");
    const parties = { buyerId: seats.buyerId, sellerId: userId };
    if (!(await lockBothAccounts(tx, [parties.buyerId, parties.sellerId])))
      return refuseAction("SEATS_EMPTY");
    const restricted = await refuseRestrictedParties(tx, parties, at);
    if (restricted !== undefined) return restricted;
    const begun = { ...parties, figures: priced.quote, ...asked };
    return insertTrade(tx, actor, seats, begun, { at, withQr });
  });
}

function priceRequest(input: CreateTradeInput): QuoteResult | TradeRefusal<"FEE_MISMATCH"> {
  const priced = quoteTrade(input.amount, input.feePayer);
  if (!priced.ok) return priced;
  const { fee } = priced.quote;
  if (input.serviceFee === undefined || input.serviceFee === fee) return priced;
  return { ok: false, code: "FEE_MISMATCH", params: { fee } };
}

async function tradeOfRoom(tx: Tx, roomId: number): Promise<Trade | undefined> {
  const row = await lockTradeRow(tx, eq(tradesTable.roomId, roomId));
  return row && tradeOf(tx, row);
}

/** Answers a second request in the room: a repetition of the first gets its trade, anything else is refused. */
function answerRepeatedRequest(
  trade: Trade,
  figures: Quote,
  { goods, description }: Pick<Trade, "goods" | "description">,
): TradeResult | TradeRefusal<"TRADE_COMPLETED" | "TRADE_EXISTS"> {
  const repeated =
    isUnpaid(trade) &&
    trade.amount === figures.amount &&
    trade.feePayer === figures.feePayer &&
    trade.goods === goods &&
    trade.description === description;
  if (repeated) return { ok: true, changed: false, trade };
  const over = trade.status === "completed" || trade.status === "settlement_pending";
  return refuseAction(over ? "TRADE_COMPLETED" : "TRADE_EXISTS", trade);
}

async function insertTrade(
  tx: Tx,
  actor: Actor,
  seats: Seats,
  begun: { buyerId: number; sellerId: number; figures: Quote } & Pick<Trade, "goods" | "description">,
  { at, withQr }: { at: Date; withQr: boolean },
): Promise<TradeResult | TradeRefusal<never>> {
  const { figures, buyerId, sellerId } = begun;
  const born = beginTrade({ code: newCode(), roomId: seats.roomId, ...begun }, at);
  const [row] = await tx.insert(tradesTable).values(toTradeRow(born)).returning({ id: tradesTable.id });
  if (row === undefined) throw new Error("escrow: a trade was not stored");
  const trade: Trade = { ...born, id: row.id };
  await writeSteps(tx, trade.id, {}, trade.steps);
  await writeDeadlines(tx, trade.id, {}, trade.deadlines, at);
  const { amount, fee, feePayer, gross } = figures;
  const { goods } = begun;
  const changeContext = { at, by: auditAuthorOf(actor) };
  const data = { buyerId, sellerId, amount, fee, feePayer, gross, goods };
  await recordChange(tx, trade, changeContext, "created", data);
  const params = { amount, serviceFee: gross - amount, total: gross, by: "seller" };
  const told = withQr ? { ...trade, deadlines: addDeadline(trade.deadlines, "payment_window", at) } : trade;
  const done = await carryOut(
    tx,
    told,
    [createNotice(trade, "paymentRequested", params), ...createMails("paymentRequested", "buyer")],
    changeContext,
  );
  return done.ok ? { ok: true, changed: true, trade } : done;
}
