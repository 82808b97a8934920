import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { connect, db, disconnect } from "../../db/client.ts";
import { books, faults, noticesOf } from "../support/books.ts";
import type { Client, Reply } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { bankInfo, type Deal } from "../support/deal.ts";
import { makeRoomPair, must, signInAdministrator } from "../support/people.ts";
import { type Server, startServer } from "../support/server.ts";

/**
 * One trade, while the server is killed (SIGKILL) at ten random points and started again. Whoever was cut off repeats
 * what they did, as people and browsers do. At its end nothing is lost and nothing doubled.
 * `CRASH_SEED` repeats a run; `CRASH_TRADES` makes it longer.
 */

const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31));
const trades = Number(process.env.CRASH_TRADES ?? 1);
const KILLS = 10;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let server: Server;
let admin: Client;

beforeAll(async () => {
  database = await freshDatabase();
  connect(database.url);
  server = await startServer({ databaseUrl: database.url });
  admin = await signInAdministrator(server);
}, 240_000);

afterAll(async () => {
  await server?.stop();
  if (server !== undefined) await rm(server.dataDir, { recursive: true, force: true });
  await disconnect();
  await database?.drop();
});

/** A small generator (mulberry32), so that a run can be repeated. */
function random(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

type Step = { name: string; run: () => Promise<Reply> };

/** What the people of a trade do, in order; every step may be repeated. */
function script(deal: Deal, said: Set<string>): Step[] {
  const { seller, buyer, roomId } = deal;
  const at = (path: string) => `/api/transactions/${deal.id}${path}`;
  const say = (who: Client, content: string): Step => {
    const clientId = crypto.randomUUID();
    said.add(content);
    return {
      name: content,
      run: () => who.post(`/api/chat/rooms/${roomId}/messages`, { content, clientId }),
    };
  };
  const post = (name: string, who: Client, path: string, body?: unknown): Step => ({
    name,
    run: () => who.post(at(path), body),
  });
  return [
    {
      name: "ask for the payment",
      run: async () => {
        const reply = await seller.post("/api/transactions", { chatRoomId: roomId, amount: 100_000 });
        if (reply.status < 300) deal.id = reply.body.id;
        return reply;
      },
    },
    say(buyer, "I shall pay now"),
    {
      name: "get the QR",
      run: async () => {
        const reply = await buyer.post("/api/qpay/invoices", { transactionId: deal.id });
        if (reply.status === 200) deal.invoiceId = reply.body.invoiceId;
        return reply;
      },
    },
    { name: "pay", run: () => payOnce(deal) },
    { name: "verify", run: () => verified(deal) },
    post("hand over", seller, "/hand-over", { note: "In the vault" }),
    post("give the account", seller, "/bank-info", bankInfo),
    post("share", seller, "/info-exchange", { info: "The code is in the vault" }),
    post("confirm the information (buyer)", buyer, "/info-exchange/confirm"),
    post("confirm the information (seller)", seller, "/info-exchange/confirm"),
    say(seller, "Here it is"),
    post("confirm (buyer)", buyer, "/complete"),
    post("confirm (seller)", seller, "/complete"),
    {
      name: "settle",
      run: () => admin.post(`/api/admin/transactions/${deal.id}/settle`, { bankReference: `FT-${deal.id}` }),
    },
  ];
}

/** A person's bank pays once, whatever became of Midman meanwhile. */
async function payOnce(deal: Deal): Promise<Reply> {
  const [row] = await db().execute<{ count: string }>(sql`
    SELECT count(*) FROM sandbox.payments JOIN sandbox.invoices ON invoices.id = payments.invoice_id
    WHERE sender_invoice_no LIKE ${`${deal.invoiceId}-%`}`);
  if (Number(row?.count) > 0) return deal.buyer.get("/readyz");
  return deal.buyer.post(`/sandbox/qpay/pay/${deal.invoiceId}`, { callback: true });
}

/** The buyer presses Verify until the money is there; the callback may have died with the server. */
async function verified(deal: Deal): Promise<Reply> {
  const reply = await deal.buyer.post(`/api/transactions/${deal.id}/verify`);
  const arrived = reply.status !== 200 || reply.body.success === true;
  return arrived ? reply : { ...reply, status: 425 };
}

/** Repeats a step until it is answered with success. What was cut off and what is not ready yet comes again. */
async function carryThrough(step: Step): Promise<void> {
  let last = "never answered";
  for (const from = Date.now(); Date.now() - from < 120_000; await Bun.sleep(250)) {
    const reply = await step.run().catch((error: Error) => error);
    if (!(reply instanceof Error) && reply.status < 300) return;
    last = reply instanceof Error ? reply.message : `${reply.status} ${reply.text.slice(0, 200)}`;
    if (!(reply instanceof Error) && [400, 401, 403, 404, 422].includes(reply.status)) break;
  }
  throw new Error(`${step.name}: ${last}`);
}

/** Kills the server while a step is under way, starts it again, and carries the step through. */
async function killedDuring(step: Step, afterMs: number): Promise<void> {
  const cut = step.run().catch(() => undefined);
  await Bun.sleep(afterMs);
  await server.kill();
  await cut;
  const { databaseUrl, dataDir, port } = server;
  server = await startServer({ databaseUrl, dataDir, port });
  await carryThrough(step);
}

for (let round = 0; round < trades; round++) {
  test(`killed at ten points of a trade, nothing is lost and nothing doubled (seed ${seed + round})`, async () => {
    const next = random(seed + round);
    const deal: Deal = { ...(await makeRoomPair(server)), id: 0, invoiceId: "" };
    const said = new Set<string>();
    const steps = script(deal, said);
    const doomed = new Set(shuffled(steps, next).slice(0, KILLS));
    for (const step of steps) {
      if (doomed.has(step)) await killedDuring(step, next() * 60);
      else await carryThrough(step);
    }
    await proveWhole(deal, said);
  }, 900_000);
}

async function proveWhole(deal: Deal, said: Set<string>): Promise<void> {
  const trade = must(await deal.buyer.get(`/api/transactions/${deal.id}`), 200).body;
  expect(trade).toMatchObject({
    status: "completed",
    buyerConfirmedComplete: true,
    sellerConfirmedComplete: true,
    handOverNote: "In the vault",
  });
  expect(await books(deal.id)).toEqual({ "provider:qpay": -110_000, bank: 100_000, fees: 10_000 });
  const notices = await noticesOf(deal.roomId);
  const once = notices.filter((code) => code !== "paymentQr");
  expect([...once].sort()).toEqual([...new Set(once)].sort());
  expect(once).toContain("settled");
  const { list } = must(await deal.seller.get(`/api/transactions/${deal.id}/steps`), 200);
  expect(list.every(({ completedAt }) => completedAt !== null)).toBe(true);
  const messages = must(await deal.seller.get(`/api/chat/rooms/${deal.roomId}/messages?limit=200`), 200).list;
  const texts = messages.filter(({ type }) => type === "text").map(({ content }) => String(content));
  expect(texts.sort()).toEqual([...said].sort());
  const seqs = messages.map(({ seq }) => Number(seq));
  expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 1) + i));
  const [counts] = await db().execute<Record<string, string>>(sql`
    SELECT (SELECT count(*) FROM payments.payments WHERE reference = ${deal.id}) AS payments,
      (SELECT count(*) FROM payments.journals WHERE reference = ${deal.id}) AS journals,
      (SELECT count(*) FROM payments.payouts WHERE reference = ${deal.id} AND state <> 'void') AS payouts,
      (SELECT count(*) FROM escrow.details WHERE trade_id = ${deal.id}) AS details,
      (SELECT count(*) FROM escrow.trades WHERE room_id = ${deal.roomId}) AS trades`);
  expect(Object.values(counts ?? {}).map(Number)).toEqual([1, 2, 1, 2, 1]);
  expect(await faults()).toEqual([]);
}
