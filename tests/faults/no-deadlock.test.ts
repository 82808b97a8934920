import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as escrow from "#modules/escrow";
import * as rooms from "#modules/rooms";
import { overrideConfig } from "../../config.ts";
import { db } from "../../db/client.ts";
import { currentTime, setClock } from "../../db/clock.ts";
import { drainJobs } from "../../db/jobs.ts";
import { settleShownTrade } from "../support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../support/database/test-database.ts";
import { createTradeRoom, sellerAccount, useSandboxProvider } from "../support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../support/trades/shown-disputes.ts";
import { findBookFaults } from "../support/trades/trade-books.ts";

useDatabase();
overrideConfig({ THROTTLE_FACTOR: 1_000_000 });
const market = useSandboxProvider();

const total = Number(process.env.FAULT_ROUNDS ?? 1_000);
const atOnce = 16;
type Place = Awaited<ReturnType<typeof createTradeRoom>> & { id: number };
type Act = (place: Place, actor: Place["seller"]) => Promise<unknown>;

const reason = "something is wrong";
/** What brings a trade on, so that the rest meets it in every state. */
const onward: Act[] = [
  async (place) => {
    const asked = { chatRoomId: place.roomId, amount: 20_000, feePayer: "buyer" } as const;
    const made = await Promise.all([place.seller, place.buyer].map((who) => escrow.createTrade(who, asked)));
    for (const one of made) if (one.ok) place.id = one.trade.id;
  },
  (place, actor) => escrow.issueInvoice(actor, place.id),
  (place) => market.pay({ id: place.id }, { callback: 1 }).catch(() => "nothing to pay"),
  (place, actor) => escrow.verifyPayment(actor, place.id),
  (place) =>
    Promise.all([place.seller, place.buyer].map((who) => escrow.saveBankInfo(who, place.id, sellerAccount))),
  (place) => Promise.all([place.seller, place.buyer].map((who) => escrow.confirmCompletion(who, place.id))),
];
/** Whatever else people do to a room and its trade. */
const acts: Act[] = [
  (place, actor) => rooms.sendMessage(actor, place.roomId, { content: "hello" }),
  (place, actor) => rooms.sendMessage(actor, place.roomId, { content: "hello" }),
  (place, actor) =>
    rooms.sendMessage(actor, place.roomId, { content: "hello", clientId: crypto.randomUUID() }),
  (place, actor) =>
    rooms.setRole(actor, place.roomId, place.seller.userId, Math.random() < 0.5 ? "buyer" : "seller"),
  (place, actor) =>
    rooms.setRole(actor, place.roomId, place.buyer.userId, Math.random() < 0.5 ? "buyer" : "seller"),
  // Without a trade this gives the seat up, and with it the room's story.
  async (place, actor) => (place.id > 0 || Math.random() < 0.1) && rooms.leaveRoom(actor, place.roomId),
  async (place, actor) => (place.id > 0 || Math.random() < 0.1) && rooms.deleteRoom(actor, place.roomId),
  (place, actor) => rooms.readRoom(actor, place.roomId),
  (place, actor) => escrow.amendTrade(actor, place.id, { amount: 20_000 + Math.floor(Math.random() * 9) }),
  (place, actor) => escrow.markPaid(actor, place.id),
  (place) => escrow.checkPayment(place.id, "callback"),
  (place, actor) => escrow.handOver(actor, place.id),
  (place, actor) => escrow.shareInfo(actor, place.id, { info: "the password" }),
  (place, actor) => escrow.confirmInfo(actor, place.id),
  (place, actor) => escrow.confirmCompletion(actor, place.id),
  (place, actor) => escrow.confirmCompletion(actor, place.id),
  (place, actor) => escrow.requestCancellation(actor, place.id),
  async (place, actor) => {
    const seen = await escrow.readTrade(actor, place.id);
    if (!seen.ok) return seen;
    const { buyer, seller } = seen.trade.cancellationRequests;
    return escrow.declineCancellation(actor, place.id, {
      requestedAt: buyer ?? seller ?? "2026-01-01T00:00:00Z",
    });
  },
  (place, actor) => escrow.withdrawCancellation(actor, place.id),
  (place, actor) => escrow.openDispute(actor, place.id, { reason }),
  (place, actor) => withdrawDispute(actor, place.id),
  (place) => escrow.takeDispute(place.admin, place.id),
  (place) => escrow.writeAsMediator(place.admin, place.id, { words: crypto.randomUUID() }),
  async (place) => {
    const shown = await escrow.previewRuling(place.admin, place.id, { ruling: "release" });
    const sum = shown.ok ? shown.ruling.sum : 1;
    return escrow.ruleDispute(place.admin, place.id, {
      ruling: "release",
      reason,
      sum,
      warningsConfirmed: true,
    });
  },
  (place) => settleShownTrade(place.admin, place.id, { bankReference: `FS${place.id}` }),
  (place) =>
    Math.random() < 0.1 ? escrow.adminCancel(place.admin, place.id) : escrow.workQueue(place.admin),
  () => escrow.sweepDeadlines(new Date()),
];

const pick = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;

/** Trades that came to an end: the mix must not stay at the beginning. */
async function ended(): Promise<number> {
  const [row] = await db().execute<{ count: string }>(
    sql`SELECT count(*) FROM escrow.trades WHERE status IN ('settlement_pending', 'completed', 'cancelled')`,
  );
  return Number(row?.count);
}

async function deadlocks(): Promise<number> {
  // The count reaches the view when a connection has been idle for a while.
  await Bun.sleep(1_500);
  const [row] = await db().execute<{ deadlocks: string }>(
    sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
  );
  return Number(row?.deadlocks);
}

describe("trades, roles, leaving and messages at the same time", () => {
  test(`${total} commands in a few rooms never deadlock`, async () => {
    const places: Place[] = [];
    for (let i = 0; i < 6; i++) places.push({ ...(await createTradeRoom()), id: 0 });
    const thrown: unknown[] = [];
    let left = total;
    const worker = async () => {
      while (left-- > 0) {
        // A room whose story is over makes way for a new one.
        const i = Math.floor(Math.random() * places.length);
        const place = places[i] as Place;
        if (left % 100 === 0) places[i] = { ...(await createTradeRoom()), id: 0 };
        const act = pick(Math.random() < 0.5 ? onward : acts);
        await act(place, pick([place.seller, place.buyer])).catch((error) =>
          thrown.push([String(act), error]),
        );
      }
    };
    await Promise.all([...Array.from({ length: atOnce }, worker), drainJobs()]);
    // An hour on by the clock as well: else what may ask the provider once a minute comes up again and again until a minute is over.
    const unset = setClock(() => new Date(Date.now() + 60 * 60_000));
    await drainJobs(currentTime()).finally(unset);
    expect(thrown).toEqual([]);
    expect(await ended()).toBeGreaterThan(0);
    expect(await deadlocks()).toBe(0);
    expect(await findBookFaults()).toEqual([]);
  }, 120_000);
});
