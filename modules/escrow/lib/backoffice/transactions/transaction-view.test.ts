import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { listEntries, recordAuditEntry } from "#modules/audit";
import { approvePayoutRecord, createDuePayout, recordPayments } from "#modules/payments";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { type PlantedUser, runAtTime } from "../../../../../tests/support/trades/sandbox-trades.ts";
import { tradeNow } from "../../core/trade.fixture.ts";
import { adminDispute } from "../../disputes/dispute-view.ts";
import { readTranscript } from "../../evidence/transcript.ts";
import { tradeIn } from "../../machine/trade.fixture.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { readTrade, tradeOfRoom } from "../../trade/view/trade-view.ts";
import { vaultView } from "../../vault/view.ts";
import { adminStats } from "../figures/stats.ts";
import { adminTradesOf, adminUser, adminUsers } from "../users/user-view.ts";
import { workQueue } from "../work-queue/work-queue.ts";
import { decisionsFor } from "./decisions.ts";
import { adminTrades } from "./list-trades.ts";
import {
  at,
  by,
  dueTo,
  given,
  iso,
  minutes,
  nobody,
  type Planted,
  payIn,
  seat,
  send,
} from "./trade-money.fixture.ts";
import { tradeRecords } from "./trade-records.ts";
import { adminTrade } from "./transaction-view.ts";

// All that administrators read of a trade, its people and its money.

useDatabase();

let admin: PlantedUser;
let member: PlantedUser;
beforeAll(async () => {
  admin = await plantUser({ isAdmin: true, displayName: "Desk" });
  member = await plantUser();
});

const kept = (id: number, kind: string, action: string, userId: number | null, when: Date) =>
  runInTransaction((tx) =>
    recordAuditEntry(tx, { by: { userId }, action, at: when, subject: { kind, id }, data: {} } as never),
  );

describe("the ledger and log entries of a trade", () => {
  test("are its journals, and what was done to it and its payouts, newest first", async () => {
    const planted = await plantTrade("settlement_pending");
    await kept(planted.id, "transaction", "transaction.hand_over", planted.seller.userId, minutes(0));
    await payIn(planted);
    const payout = await dueTo(planted);
    await send(payout, nobody);
    const found = await given(tradeRecords(admin, planted.id));
    const escrow = `escrow:${planted.id}`;
    const journal = { id: expect.any(Number), corrects: null, sum: 110_000 };
    const own = { id: planted.seller.userId, displayName: "Bat Erdene" };
    const gone = { id: nobody, displayName: "" };
    const entry = (action: string, many: number, who: object | null) => {
      return { id: expect.any(Number), at: iso(many), action, by: who as never };
    };
    expect(found.records).toEqual({
      journals: [
        {
          ...{ ...journal, kind: "payment", at: expect.any(String) },
          lines: [
            { account: "provider:qpay", debit: 110_000, credit: 0 },
            { account: escrow, debit: 0, credit: 110_000 },
          ],
        },
        {
          ...{ ...journal, kind: "payout", at: iso(4) },
          lines: [
            { account: escrow, debit: 110_000, credit: 0 },
            { account: "bank", debit: 0, credit: 100_000 },
            { account: "fees", debit: 0, credit: 10_000 },
          ],
        },
      ],
      activity: [
        entry("payout.sent", 4, gone),
        entry("payout.approved", 3, gone),
        entry("payout.due", 2, null),
        entry("transaction.hand_over", 0, own),
      ],
    });
  });

  test("are the latest twenty steps, on the trade or its payouts", async () => {
    const planted = await plantTrade("settlement_pending");
    await payIn(planted);
    const payout = await dueTo(planted);
    for (let made = 0; made < 11; made++) {
      await kept(planted.id, "transaction", "transaction.hand_over", null, minutes(3));
      await kept(payout, "payout", "payout.claim", null, minutes(3));
    }
    const { activity } = (await given(tradeRecords(admin, planted.id))).records;
    expect(activity.map(({ action }) => action)).toEqual(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? "payout.claim" : "transaction.hand_over")),
    );
  });

  test("do not exist for a missing trade, and are shown to nobody else", async () => {
    const { id } = await plantTrade();
    expect(await tradeRecords(admin, id)).toEqual({ ok: true, records: { journals: [], activity: [] } });
    expect(await tradeRecords(member, id)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    for (const none of [nobody, 0, Number.NaN]) {
      expect(await tradeRecords(admin, none)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
    }
  });
});

describe("the conversation of a trade", () => {
  const say = async (roomId: number, seq: number, parts: Record<string, unknown>) => {
    const { sender = null, content = null, code = null, image = null } = parts;
    const type = image !== null ? "image" : sender === null ? "system" : "text";
    // The room must exist before its first message.
    await db().execute(sql`UPDATE rooms.rooms SET created_at = ${iso(0)}::timestamptz WHERE id = ${roomId}`);
    await db().execute(sql`
      INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, code, params, image_url, image_width,
        image_height, created_at)
      VALUES (${roomId}, ${seq}, ${sender}::bigint, ${sender === null ? null : crypto.randomUUID()}::uuid, ${type},
        ${content}::text, ${code}::text, ${code === null ? null : "{}"}::jsonb, ${image}::text, ${image && 8}::int,
        ${image && 6}::int, ${iso(seq)}::timestamptz)`);
  };
  const logged = async (roomId: number) =>
    (await listEntries({ roomId, action: "transcript_read" })).entries.map(
      ({ userId, at: when, subject, data }) => {
        return { userId, at: when, subject, data };
      },
    );

  test("is shown with the senders, and reading it is logged", async () => {
    const { id, code, roomId, seller, buyer } = await plantTrade();
    await say(roomId, 1, { sender: seller.userId, content: "Here it is" });
    await say(roomId, 2, { sender: buyer.userId, image: "/i/1", content: "The proof" });
    await say(roomId, 3, { sender: buyer.userId, image: "/i/2" });
    await say(roomId, 4, { code: "disputeWithdrawn" });
    await say(roomId, 5, { sender: member.userId, content: "I was here before" });
    await say(roomId, 6, { sender: nobody, content: "Who was I?" });
    const read = await runAtTime(minutes(60), () => given(readTranscript(admin, id)));
    const from = (role: "buyer" | "seller" | null, displayName = "Bat Erdene") => ({ displayName, role });
    expect(read.transcript).toEqual({
      transactionCode: code,
      messages: [
        { seq: 1, at: iso(1), from: from("seller"), kind: "text", text: "Here it is" },
        { seq: 2, at: iso(2), from: from("buyer"), kind: "image", text: "The proof" },
        { seq: 3, at: iso(3), from: from("buyer"), kind: "image", text: "" },
        { seq: 4, at: iso(4), from: null, kind: "notice", text: expect.stringMatching(/dispute/i) },
        { seq: 5, at: iso(5), from: from(null), kind: "text", text: "I was here before" },
        { seq: 6, at: iso(6), from: from(null, ""), kind: "text", text: "Who was I?" },
      ],
      older: null,
    });
    const subject = { kind: "transaction", id: String(id) };
    expect(await logged(roomId)).toEqual([
      { userId: admin.userId, at: minutes(60), subject, data: { from: 1, to: 6 } },
    ]);
  });

  test("is paged by fifty, and shows whether there is more before", async () => {
    const { id, roomId, seller } = await plantTrade();
    expect((await given(readTranscript(admin, id))).transcript).toMatchObject({ messages: [], older: null });
    for (let seq = 1; seq <= 51; seq++)
      await say(roomId, seq, { sender: seller.userId, content: `no. ${seq}` });
    const page = async (before?: number) => {
      const { messages, older } = (await given(readTranscript(admin, id, before))).transcript;
      return { many: messages.length, first: messages[0]?.seq, last: messages.at(-1)?.seq, older };
    };
    expect(await page()).toEqual({ many: 50, first: 2, last: 51, older: 2 });
    expect(await page(2)).toEqual({ many: 1, first: 1, last: 1, older: null });
    expect(await page(51)).toEqual({ many: 50, first: 1, last: 50, older: null });
    const ranges = (await logged(roomId)).map(({ data }) => data);
    expect(ranges).toEqual([
      { from: 1, to: 50 },
      { from: 1, to: 1 },
      { from: 2, to: 51 },
      { from: null, to: null },
    ]);
  });

  test("is shown to nobody else, and does not exist for a missing trade", async () => {
    const { id } = await plantTrade();
    expect(await readTranscript(member, id)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    for (const none of [nobody, 0, 1.5]) {
      expect(await readTranscript(admin, none)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
    }
  });
});

describe("a person as administrators see them", () => {
  /** A person who bought in one trade that is over, and sold in two, one of them over, and in a third that is hidden. */
  async function trader() {
    const bought = await plantTrade("completed");
    const person = await plantUser();
    const sold = [
      await plantTrade("completed"),
      await plantTrade("initiated"),
      await plantTrade("completed"),
    ];
    await seat(bought, "buyer_id", person.userId);
    for (const one of sold) await seat(one, "seller_id", person.userId);
    await db().execute(sql`UPDATE escrow.trades SET hidden_at = now() WHERE id = ${sold[2]?.id ?? 0}`);
    return { person, ids: [sold[1]?.id, sold[0]?.id, bought.id] };
  }

  test("has the number of trades bought, sold and completed", async () => {
    const { person } = await trader();
    const found = await adminUser(admin, person.userId);
    if (!found.ok) throw new Error(found.code);
    expect(found).toMatchObject({ ok: true, user: { id: person.userId, transactionCount: 3 }, devices: 0 });
    expect(found.counts).toEqual({ bought: 1, sold: 2, completed: 2 });
    const bare = await adminUser(admin, member.userId);
    expect(bare).toMatchObject({
      ...{ user: { id: member.userId, transactionCount: 0 }, counts: { bought: 0, sold: 0, completed: 0 } },
    });
    expect(await adminUser(admin, nobody)).toEqual({ ok: false, code: "USER_NOT_FOUND" });
    expect(await adminUser(member, member.userId)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });

  test("is listed with the number of their trades", async () => {
    const { person } = await trader();
    const bare = await plantUser();
    const find = { show: "living", sort: "newest", limit: 2 } as const;
    const found = await adminUsers(admin, find);
    if (!found.ok) throw new Error(found.code);
    expect(found.users[0]).toMatchObject({ id: bare.userId, username: bare.username, transactionCount: 0 });
    expect(found.next).toBe(found.users[1]?.id ?? 0);
    const named = await adminUsers(admin, { ...find, q: person.username });
    expect(named.ok && named.users.map(({ id, transactionCount }) => [id, transactionCount])).toEqual([
      [person.userId, 3],
    ]);
    const none = await adminUsers(admin, { ...find, q: "nobody of this name" });
    expect(none).toMatchObject({ ok: true, users: [], next: null });
    expect(await adminUsers(member, find)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });

  test("has trades, newest first, each with their side; a person without any differs from a missing one", async () => {
    const { person, ids } = await trader();
    const found = await adminTradesOf(admin, person.userId);
    expect(found.ok && found.transactions.map(({ id, role }) => [id, role])).toEqual([
      [ids[0] ?? 0, "seller"],
      [ids[1] ?? 0, "seller"],
      [ids[2] ?? 0, "buyer"],
    ]);
    const second = await adminTradesOf(admin, person.userId, { limit: 1, before: ids[0] });
    expect(second.ok && second.transactions.map(({ id }) => id)).toEqual([ids[1] ?? 0]);
    expect(await adminTradesOf(admin, member.userId)).toEqual({ ok: true, transactions: [] });
    expect(await adminTradesOf(admin, nobody)).toEqual({ ok: false, code: "USER_NOT_FOUND" });
    expect(await adminTradesOf(member, person.userId)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });
});

test("a dispute is shown with both sides, the money and every case", async () => {
  const planted = await plantTrade("disputed");
  const { id, code, seller, buyer } = planted;
  await payIn(planted);
  await db().execute(sql`UPDATE escrow.trades SET description = 'A key' WHERE id = ${id}`);
  const plain = {
    transactionId: id,
    transactionCode: code,
    status: "disputed",
    description: "A key",
  } as const;
  expect(await adminDispute(admin, id)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
  for (const [opened, outcome] of [
    [0, "withdrawn"],
    [10, "withdrawn"],
    [30, null],
  ] as const) {
    await db().execute(sql`
      INSERT INTO escrow.disputes (trade_id, opened_by, opened_from, opened_at, outcome, ended_at, taken_by, taken_at)
      VALUES (${id}, 'buyer', 'payment_confirmed', ${iso(opened)}::timestamptz, ${outcome},
        ${outcome && iso(20)}::timestamptz, ${admin.userId}, ${iso(opened + 1)}::timestamptz)`);
  }
  await db().execute(sql`
    INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at, paused_at, next_at) VALUES
    (${id}, 'dispute_ruling', 'running', ${iso(30)}::timestamptz, ${iso(90)}::timestamptz, NULL, ${iso(90)}::timestamptz),
    (${id}, 'hand_over', 'paused', ${iso(0)}::timestamptz, ${iso(60)}::timestamptz, ${iso(30)}::timestamptz, NULL)`);
  const read = (who: PlantedUser) => runAtTime(minutes(90), () => given(adminDispute(who, id)));
  const mediator = (many: number) => ({ id: admin.userId, displayName: "Desk", since: iso(many) });
  const open = {
    openedBy: "buyer",
    openedFrom: "payment_confirmed",
    refundAmount: null,
    statements: [],
  } as const;
  const whole = {
    ...{ ...plain, grossAmount: 110_000, fee: 10_000, heldAmount: 110_000, pictures: [] },
    buyer: { id: buyer.userId, displayName: "Bat Erdene" },
    seller: { id: seller.userId, displayName: "Bat Erdene" },
    cases: [
      { ...open, openedAt: iso(0), outcome: "withdrawn", endedAt: iso(20), mediator: mediator(1) },
      { ...open, openedAt: iso(10), outcome: "withdrawn", endedAt: iso(20), mediator: mediator(11) },
      { ...open, openedAt: iso(30), outcome: null, endedAt: null, mediator: mediator(31) },
    ],
    clocks: [{ kind: "dispute_ruling", dueAt: iso(90), overdue: true, paused: false, extendedMinutes: 0 }],
    vault: vaultView([], new Date(iso(90))),
    ...{ mine: true, ownTrade: false, serverTime: iso(90), holds: [], proposal: null, answered: null },
  } as const;
  expect((await read(admin)).dispute).toEqual(whole as never);
  const own = { ...buyer, isAdmin: true };
  expect((await read(own)).dispute).toEqual({ ...whole, mine: false, ownTrade: true } as never);
  await db().execute(
    sql`UPDATE escrow.disputes SET outcome = 'release', ended_at = now() WHERE trade_id = ${id}`,
  );
  expect((await read(admin)).dispute.mine).toBe(false);
  await seat(planted, "buyer_id", nobody);
  expect((await read(admin)).dispute.buyer).toEqual({ id: nobody, displayName: "" });
  expect(await adminDispute(member, id)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  for (const none of [nobody, 0, Number.NaN]) {
    expect(await adminDispute(admin, none)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
  }
});

describe("possible decisions about a trade", () => {
  const decide = async ({ id }: Planted, userId = admin.userId) => {
    return decisionsFor(db(), await tradeNow({ id }), userId, at);
  };
  const shares = (toBuyer: number, toSeller: number, fee: number) => ({ toBuyer, toSeller, fee });

  test("are closing it without money, paying the seller or cancelling it, each with its amounts", async () => {
    expect(await decide(await plantTrade("initiated"))).toEqual({
      ...{ complete: shares(0, 0, 0), cancel: shares(0, 0, 0), cancelledBy: null },
    });
    const planted = await plantTrade("settlement_pending");
    await payIn(planted);
    expect(await decide(planted)).toEqual({
      complete: null,
      cancel: shares(110_000, 0, 0),
      cancelledBy: null,
    });
    const paid = (patch: Partial<Trade>) =>
      decisionsFor(db(), { ...tradeIn("payment_confirmed", patch), id: nobody }, admin.userId, at);
    expect(await paid({})).toEqual({
      ...{ complete: shares(0, 100_000, 10_000), cancel: shares(110_000, 0, 0), cancelledBy: null },
    });
    const settling = { ...tradeIn("settlement_pending"), id: nobody };
    expect(await decisionsFor(db(), settling, admin.userId, at)).toEqual({
      ...{ complete: null, cancel: shares(110_000, 0, 0), cancelledBy: null },
    });
    // It is nobody's fault, so under this fee policy the fee is kept.
    expect((await paid({ feePolicy: "terms" })).cancel).toEqual(shares(100_000, 0, 10_000));
    const done = { complete: null, cancel: null, cancelledBy: null };
    expect(await decide(await plantTrade("cancelled"))).toEqual(done);
    expect(await decide(await plantTrade("disputed"))).toEqual(done);
  });

  test("do not include cancelling while someone is making its transfer", async () => {
    const planted = await plantTrade("settlement_pending");
    await payIn(planted);
    const id = await dueTo(planted);
    expect((await decide(planted)).cancel).toEqual(shares(110_000, 0, 0));
    await runInTransaction((tx) => approvePayoutRecord(tx, { id, at, by: by(admin.userId) }));
    expect(await decide(planted)).toMatchObject({ cancel: null, cancelledBy: null });
  });

  test("after a ruling include cancelling only for its mediator, who is named to others", async () => {
    const planted = await plantTrade("settlement_pending");
    await payIn(planted);
    const mediator = await plantUser({ isAdmin: true, displayName: "Mediator" });
    await db().execute(sql`
      INSERT INTO escrow.disputes (trade_id, opened_by, opened_from, opened_at, outcome, ended_at, taken_by, taken_at)
      VALUES (${planted.id}, 'buyer', 'payment_confirmed', ${iso(0)}::timestamptz, 'release', ${iso(1)}::timestamptz,
        ${mediator.userId}, ${iso(0)}::timestamptz)`);
    expect(await decide(planted)).toMatchObject({ cancel: null, cancelledBy: "Mediator" });
    expect(await decide(planted, mediator.userId)).toMatchObject({
      ...{ cancel: shares(110_000, 0, 0), cancelledBy: null },
    });
    await db().execute(
      sql`UPDATE escrow.trades SET status = 'cancelled', ended_at = now(), end_reason = 'admin' WHERE id = ${planted.id}`,
    );
    expect(await decide(planted)).toEqual({ complete: null, cancel: null, cancelledBy: null });
  });
});

describe("administrators", () => {
  test("have views of their own that nobody else can read", async () => {
    const user = await plantUser();
    const refused = { ok: false, code: "ADMIN_REQUIRED" } as const;
    expect(await adminTrades(user)).toEqual(refused);
    expect(await adminTrade(user, 1)).toEqual(refused);
    expect(await adminStats(user)).toEqual(refused);
    expect(await workQueue(user)).toEqual(refused);
  });

  test("search by code or description, in any case, with special characters taken literally", async () => {
    const admin = await plantUser({ isAdmin: true });
    const planted = await plantTrade("completed");
    await db().execute(
      sql`UPDATE escrow.trades SET description = '100% Mythic sword_x' WHERE id = ${planted.id}`,
    );
    const find = async (search: string, status?: string) => {
      const found = await adminTrades(admin, { limit: 10, search, status });
      return found.ok ? found.transactions.map((row) => row.id) : [];
    };
    expect(await find(planted.code.toLowerCase())).toEqual([planted.id]);
    expect(await find("mythic SWORD")).toEqual([planted.id]);
    expect(await find("0% mythic sword_")).toEqual([planted.id]);
    expect(await find("mythic_sword")).toEqual([]);
    expect(await find("mythic", "completed")).toEqual([planted.id]);
    expect(await find("mythic", "cancelled")).toEqual([]);
  });

  test("see in the detail both people, the money and the exchange; the queue has waiting work", async () => {
    const admin = await plantUser({ isAdmin: true });
    const planted = await plantTrade("settlement_pending");
    const at = new Date();
    await runInTransaction(async (tx) => {
      const row = {
        providerPaymentId: crypto.randomUUID(),
        invoiceId: crypto.randomUUID(),
        amount: 110_000,
        paidAt: at,
      };
      await recordPayments(tx, { reference: planted.id, rows: [row], owed: 110_000, at });
      await createDuePayout(tx, {
        reference: planted.id,
        kind: "payout",
        amount: 100_000,
        fee: 10_000,
        recipientId: planted.seller.userId,
        dueAt: at,
        at,
        by: { userId: null },
      });
    });
    const seen = await adminTrade(admin, planted.id);
    expect(seen).toMatchObject({
      ok: true,
      detail: {
        transaction: { id: planted.id, status: "settlement_pending" },
        buyer: { id: planted.buyer.userId, email: planted.buyer.email },
        seller: { id: planted.seller.userId },
        heldAmount: 110_000,
        receivedAmount: 110_000,
        ownTrade: false,
        payouts: [{ kind: "payout", amount: 100_000, fee: 10_000, state: "due", payerBanks: [] }],
        infoExchange: { sellerInfo: null, sellerConfirmed: false },
      },
    });
    const waiting = await workQueue(admin);
    expect(
      waiting.ok && waiting.queue.payouts.find((task) => task.transactionId === planted.id),
    ).toMatchObject({
      kind: "payout",
      transactionCode: planted.code,
      recipient: { id: planted.seller.userId, displayName: "Bat Erdene" },
    });
    const stats = await adminStats(admin);
    expect(stats.ok && stats.stats.totalTransactions).toBeGreaterThan(0);
    expect(stats.ok && stats.stats.totalVolume % 100_000).toBe(0);
    expect(stats.ok && stats.stats.totalUsers).toBeGreaterThan(0);
    for (const id of [999_999, Number.NaN, 1.5, -1, 1e300]) {
      expect(await adminTrade(admin, id)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
      expect(await readTrade(planted.buyer, id)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
      expect(await tradeOfRoom(planted.buyer, id)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
    }
  });
});
