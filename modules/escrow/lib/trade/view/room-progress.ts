import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, requireUser } from "#modules/identity";
import {
  findUnsentReferences,
  isMoneyStillToSend,
  openHoldReasonsOf,
  type Payout,
  payoutsOf,
  readReceivedAmounts,
} from "#modules/payments";
import { deadlinesOfAll } from "../../core/load-trade.ts";
import { sideOf } from "../../core/party-access.ts";
import { type TradeRow, tradesTable } from "../../core/schema.ts";
import { type Clock, clocksOf } from "../../deadlines/clock-view.ts";
import { findAwaitedExplanations } from "../../disputes/dispute-cases.ts";
import { detailsTable } from "../../information/schema.ts";
import type { Party, Status, Trade } from "../../machine/trade-types.ts";
import { isHeldByReport, isHeldForChecking } from "../../payment/payment-finding.ts";
import { type Due, dueOf } from "./due-date.ts";
import { type TradeProgress, tradeProgressOf } from "./trade-progress.ts";
import { type Turn, turnOf } from "./turn.ts";

/** The progress of a room's trade for one of its parties, as a list of rooms shows it. Amounts are whole tugrik. */
export type RoomProgress = {
  transactionId: number;
  code: string;
  status: Status;
  role: Party;
  standing: TradeProgress;
  turn: Turn;
  /** True if it is the reader's turn. */
  own: boolean;
  grossAmount: number;
  netAmount: number;
  /** Received for the trade so far. */
  paidAmount: number;
  due: Due;
  /** Midman is checking the payment: nobody may pay again. */
  heldForChecking: boolean;
  /** Midman is checking the trade as a whole: nothing may be paid or handed over. */
  tradeChecked: boolean;
  /** The open deadlines, earliest first. */
  clocks: Clock[];
  /** The trade has ended. */
  over: boolean;
  /** Why the room may not be deleted, as `deleteRoom` would refuse it; null if it may. */
  keptFor: "TRADE_UNDER_WAY" | "MONEY_HELD" | null;
};

/**
 * The progress of the trades of these rooms, by room. Rooms without a trade, and those of other people, are left out. A few queries at
 * most, however many rooms.
 */
export async function readRoomProgress(
  actor: Actor,
  roomIds: readonly number[],
): Promise<Map<number, RoomProgress>> {
  const user = requireUser(actor);
  if (!user.ok || roomIds.length === 0) return new Map();
  const { userId } = user.member;
  const rows = await db()
    .select()
    .from(tradesTable)
    .where(
      and(
        inArray(tradesTable.roomId, [...roomIds]),
        or(eq(tradesTable.buyerId, userId), eq(tradesTable.sellerId, userId)),
      ),
    );
  return viewProgressOfAll(rows, userId);
}

/**
 * The rooms of all the person's trades: `open` has the progress of those that have not ended or whose money has yet to leave, and `finished`
 * the other rooms. A person has few open trades; of the finished ones no more than the room is read.
 */
export async function readTradeRooms(
  actor: Actor,
): Promise<{ open: Map<number, RoomProgress>; finished: number[] }> {
  const user = requireUser(actor);
  if (!user.ok) return { open: new Map(), finished: [] };
  const { userId } = user.member;
  const { id, roomId, endedAt } = tradesTable;
  const all = await db()
    .select({ id, roomId, endedAt })
    .from(tradesTable)
    .where(or(eq(tradesTable.buyerId, userId), eq(tradesTable.sellerId, userId)));
  const ended = all.filter((trade) => trade.endedAt !== null);
  const unsent = await findUnsentReferences(
    db(),
    ended.map((trade) => trade.id),
  );
  const open = all
    .filter((trade) => trade.endedAt === null || unsent.has(trade.id))
    .map((trade) => trade.roomId);
  return {
    open: await readRoomProgress(actor, open),
    finished: ended.filter((trade) => !unsent.has(trade.id)).map((trade) => trade.roomId),
  };
}

async function viewProgressOfAll(rows: TradeRow[], userId: number): Promise<Map<number, RoomProgress>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const disputed = rows.filter(({ status }) => status === "disputed").map(({ id }) => id);
  const at = currentTime();
  const [payouts, received, given, awaited, holds, deadlines] = await Promise.all([
    payoutsOf(db(), ids),
    readReceivedAmounts(db(), ids),
    findGivenDestinations(ids),
    findAwaitedExplanations(db(), disputed, at),
    openHoldReasonsOf(db(), ids),
    deadlinesOfAll(db(), ids),
  ]);
  return new Map(
    rows.map((row) => [
      row.roomId,
      viewRoomProgress(row, sideOf(row, userId) ?? "buyer", {
        payouts: payouts.filter(({ reference }) => reference === row.id),
        paid: received.get(row.id) ?? 0,
        sellerDestination: given.has(row.id),
        awaited: awaited.get(row.id) ?? [],
        holds: holds.get(row.id) ?? [],
        clocks: clocksOf(deadlines.get(row.id) ?? {}, at),
      }),
    ]),
  );
}

type ProgressFacts = {
  payouts: Payout[];
  paid: number;
  sellerDestination: boolean;
  awaited: readonly Party[];
  holds: Trade["holds"];
  clocks: Clock[];
};

function viewRoomProgress(row: TradeRow, role: Party, beside: ProgressFacts): RoomProgress {
  const { payouts, paid } = beside;
  const turn = turnOf({ ...row, sellerDestination: beside.sellerDestination }, payouts, beside.awaited);
  const heldForChecking = isHeldForChecking(beside.holds);
  // The buyer pressed "I have paid", or a payment is being checked: neither party has to act.
  const checking = (row.status === "payment_processing" && paid === 0) || heldForChecking;
  return {
    transactionId: row.id,
    code: row.code,
    status: row.status,
    role,
    standing: tradeProgressOf(row, payouts),
    turn,
    own: turn.startsWith(role) && !checking,
    grossAmount: row.gross,
    netAmount: row.net,
    paidAmount: paid,
    due: dueOf(payouts),
    heldForChecking,
    tradeChecked: isHeldByReport(beside.holds),
    clocks: beside.clocks,
    over: row.endedAt !== null,
    keptFor: findDeletionObstacle(row, payouts),
  };
}

function findDeletionObstacle({ endedAt }: TradeRow, payouts: readonly Payout[]): RoomProgress["keptFor"] {
  if (endedAt === null) return "TRADE_UNDER_WAY";
  return isMoneyStillToSend(payouts) ? "MONEY_HELD" : null;
}

/** The trades whose seller has entered an account for the payout. */
async function findGivenDestinations(tradeIds: number[]): Promise<Set<number>> {
  const rows = await db()
    .selectDistinct({ tradeId: detailsTable.tradeId })
    .from(detailsTable)
    .where(
      and(
        inArray(detailsTable.tradeId, tradeIds),
        eq(detailsTable.kind, "bank"),
        eq(detailsTable.side, "seller"),
      ),
    );
  return new Set(rows.map(({ tradeId }) => tradeId));
}

/** The rooms of the actor's trades whose code starts with `begun`; for a search. */
export async function findRoomsByCode(actor: Actor, begun: string): Promise<number[]> {
  const user = requireUser(actor);
  const code = begun.trim().toUpperCase();
  if (!user.ok || !/^[A-Z0-9-]{3,20}$/.test(code)) return [];
  const { userId } = user.member;
  const rows = await db()
    .select({ roomId: tradesTable.roomId })
    .from(tradesTable)
    .where(
      and(
        or(eq(tradesTable.buyerId, userId), eq(tradesTable.sellerId, userId)),
        isNull(tradesTable.hiddenAt),
        isNull(tradesTable.erasedAt),
        sql`starts_with(${tradesTable.code}, ${code})`,
      ),
    );
  return rows.map(({ roomId }) => roomId);
}
