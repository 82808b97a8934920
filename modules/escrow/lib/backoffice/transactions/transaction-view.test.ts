import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { daySpan, daysAfter } from "#format";
import { listEntries, recordAuditEntry } from "#modules/audit";
import { approvePayoutRecord, createDuePayout, markPayoutSent, recordPayments } from "#modules/payments";
import { ownerDatabase, useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../../tests/support/expect-match.ts";
import { plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { type PlantedUser, runAtTime } from "../../../../../tests/support/trades/sandbox-trades.ts";
import { tradeNow } from "../../core/trade.fixture.ts";
import { adminDispute } from "../../disputes/dispute-view.ts";
import { readTranscript } from "../../evidence/transcript.ts";
import { tradeIn } from "../../machine/trade.fixture.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { dismissSettlementEntry, enterSettlement } from "../settlements/enter-settlement.ts";
import { readSettlements } from "../settlements/settlement-view.ts";
import { isOutgoingHalted, readTreasury, switchOutgoingMoney, transfersOf } from "../treasury/treasury.ts";
import { adminTradesOf, adminUser, adminUsers } from "../users/user-view.ts";
import { decisionsFor } from "./decisions.ts";
import { tradeRecords } from "./trade-records.ts";

// All that administrators read of a trade, its people and its money.

useDatabase();

const at = new Date("2026-11-21T09:00:00.000Z");
const minutes = (many: number) => new Date(at.getTime() + many * 60_000);
const iso = (many: number) => minutes(many).toISOString();
const nobody = 999_999;
let exports = 0;

let admin: PlantedUser;
let member: PlantedUser;
beforeAll(async () => {
  admin = await plantUser({ isAdmin: true, displayName: "Desk" });
  member = await plantUser();
});

type Planted = Awaited<ReturnType<typeof plantTrade>>;
/** The result of a call that must not be refused. */
async function given<T extends { ok: boolean }>(answer: Promise<T>): Promise<Extract<T, { ok: true }>> {
  const found = await answer;
  if (!found.ok) throw new Error(JSON.stringify(found));
  return found as Extract<T, { ok: true }>;
}

const by = (userId: number) => ({ userId, relatedAdminIds: [userId], keepsRight: async () => true });
const destination = { bankName: "Khan Bank", accountName: "Bat", accountNumber: "5012345678", iban: "MN12" };

/** Makes someone a party of a trade, whatever the trade's status. */
const seat = ({ id }: Planted, side: "buyer_id" | "seller_id", userId: number) =>
  ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`ALTER TABLE escrow.trades DISABLE TRIGGER keep_frozen`);
    await tx.execute(sql`UPDATE escrow.trades SET ${sql.identifier(side)} = ${userId} WHERE id = ${id}`);
    await tx.execute(sql`ALTER TABLE escrow.trades ENABLE TRIGGER keep_frozen`);
  });

/** Books a payment of 110,000 for a trade; returns the provider's id of it. */
async function payIn({ id }: Planted, parts: { paidAt?: Date; amount?: number; payerBank?: string } = {}) {
  const { paidAt = at, amount = 110_000, payerBank = "050000" } = parts;
  const ids = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID() };
  const row = { ...ids, amount, paidAt, payerBank, wallet: "Toki" };
  await runInTransaction((tx) =>
    recordPayments(tx, { reference: id, rows: [row], owed: 110_000, at: minutes(1) }),
  );
  return ids.providerPaymentId;
}

async function dueTo(planted: Planted): Promise<number> {
  const { id: reference, seller } = planted;
  const made = await runInTransaction((tx) =>
    createDuePayout(tx, {
      ...{ reference, kind: "payout", amount: 100_000, fee: 10_000, recipientId: seller.userId, destination },
      ...{ dueAt: minutes(180), at: minutes(2), by: { userId: null } },
    }),
  );
  if (!made.ok) throw new Error(made.code);
  return made.payout.id;
}

/** Approves and sends a payout, each at a given moment. */
async function send(
  id: number,
  sender: number,
  { sentAt = minutes(4), reference = String(crypto.randomUUID()) } = {},
) {
  await runInTransaction(async (tx) => {
    await approvePayoutRecord(tx, { id, at: minutes(3), by: by(sender) });
    const sent = await markPayoutSent(tx, { id, bankReference: reference, at: sentAt, by: by(sender) });
    if (!sent.ok) throw new Error(sent.code);
  });
}

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

describe("the treasury", () => {
  const desk = async (input?: { before?: number | undefined }) =>
    (await given(readTreasury(admin, input))).treasury;

  test("shows the state of the halt switch, since when, by whom and why", async () => {
    const reason = "the bank is down";
    const setter = await plantUser({ isAdmin: true, displayName: "Switcher" });
    const moment = new Date();
    const turn = (on: boolean, who = setter) =>
      runAtTime(moment, () => switchOutgoingMoney(who, { on, reason }));
    expect(await turn(true, member)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    const stale = { ...setter, authenticatedAt: new Date(moment.getTime() - 86_400_000) };
    expect(await turn(true, stale)).toMatchObject({ ok: false, code: "REAUTH_REQUIRED" });
    expect(await isOutgoingHalted()).toBe(false);
    expect(await turn(true)).toEqual({ ok: true, changed: true, halted: true });
    expect(await isOutgoingHalted()).toBe(true);
    const stopped = { halted: true, reason, by: "Switcher", at: moment.toISOString(), resume: null };
    expect((await desk()).halt).toEqual(stopped);
    expect(await turn(true)).toEqual({ ok: true, changed: false, halted: true });
    const [entry] = (await listEntries({ action: "money.halted" })).entries;
    expectMatch(entry, { userId: setter.userId, ip: setter.ip, device: setter.device, at: moment });
    expect(await turn(false)).toEqual({ ok: true, changed: true, halted: true });
    const proposed = { by: "Switcher", own: false, at: moment.toISOString(), reason };
    expect((await desk()).halt).toEqual({ ...stopped, resume: proposed });
    expect(await turn(false, setter)).toEqual({ ok: true, changed: false, halted: true });
    const another = await plantUser({ isAdmin: true, displayName: "Second switcher" });
    expect(await turn(false, another)).toEqual({ ok: true, changed: true, halted: false });
    expect((await desk()).halt).toEqual({ ...stopped, halted: false, by: "Second switcher" });
    const [turned] = await db().execute<{ reason: string; by: string }>(
      sql`SELECT reason, changed_by AS by FROM payments.halt`,
    );
    await db().execute(sql`UPDATE payments.halt SET changed_by = ${nobody}`);
    expect((await desk()).halt).toEqual({ ...stopped, halted: false, by: null });
    await db().execute(sql`UPDATE payments.halt SET reason = NULL, changed_by = NULL, changed_at = NULL`);
    const never = { halted: false, reason: null, by: null, at: null, resume: null };
    expect((await desk()).halt).toEqual(never);
    // Restores the values that the audit log has, or no money could leave.
    await db().execute(sql`
      UPDATE payments.halt SET changed_at = ${moment.toISOString()}, reason = ${turned?.reason}, changed_by = ${turned?.by}::bigint`);
    expect(await readTreasury(member)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });

  test("lists money without a trade, what it was paid for and the state of its refund, page by page", async () => {
    const [first, second] = [await plantTrade(), await plantTrade()];
    const one = await payIn(first, { amount: 115_000 });
    const night = new Date("2026-11-21T16:30:00Z");
    const rest = { paidAt: iso(0), wallet: "Toki", payerBank: "050000" };
    const refund = { state: "due", destination: false } as const;
    const excess = {
      ...{ ...rest, paymentId: expect.any(Number), providerPaymentId: one, amount: 5_000, refund },
      transaction: { id: first.id, code: first.code },
    };
    const before = await runAtTime(night, () => desk());
    expect(before.today).toBe("2026-11-22");
    expect(before.suspense[0]).toEqual(excess);
    await db().execute(
      sql`UPDATE payments.payouts SET destination = ${JSON.stringify(destination)}::jsonb WHERE reference = ${first.id}`,
    );
    expect((await desk()).suspense[0]?.refund).toEqual({ state: "due", destination: true });
    const strange = await payIn({ ...first, id: 7_000_000 }, { amount: 120_000 });
    expect((await desk()).suspense[0]).toMatchObject({ providerPaymentId: strange, transaction: null });
    for (let many = 0; many < 27; many++) await payIn(second, { amount: 110_000 + many });
    const stray = await db().execute<{ id: string }>(
      sql`SELECT id FROM payments.payments WHERE to_suspense > 0 ORDER BY id`,
    );
    const ids = stray.map(({ id }) => Number(id));
    const page = async (before?: number) => {
      const { suspense, next } = await desk({ before });
      return { ids: suspense.map(({ paymentId }) => paymentId), next };
    };
    expect(await page(ids[26])).toEqual({ ids: ids.slice(1, 26).reverse(), next: ids[1] ?? 0 });
    expect(await page(ids[25])).toEqual({ ids: ids.slice(0, 25).reverse(), next: null });
    expect((await page()).ids).toEqual(ids.slice(-25).reverse());
  });

  test("exports what was sent on a day, and logs the export", async () => {
    const day = daysAfter("2020-01-01", 2 * ++exports);
    const [first, second] = [await plantTrade("settlement_pending"), await plantTrade("settlement_pending")];
    const sent = daySpan(day).from;
    const made: number[] = [];
    for (const [planted, sender] of [
      [first, admin.userId],
      [second, nobody],
    ] as const) {
      await payIn(planted);
      const payout = await dueTo(planted);
      await send(payout, sender, { sentAt: sent, reference: `REF-${planted.id}` });
      made.push(payout);
    }
    const tell = (who = admin, of = day) => runAtTime(minutes(0), () => transfersOf(who, { day: of }));
    const line = { kind: "payout", amount: 100_000, fee: 10_000, state: "sent", ...destination } as const;
    expect(await tell()).toEqual({
      ok: true,
      transfers: [
        {
          ...{ ...line, id: made[0] ?? 0, transactionCode: first.code, bankReference: `REF-${first.id}` },
          ...{ sentAt: sent.toISOString(), sentBy: admin.username },
        },
        {
          ...{ ...line, id: made[1] ?? 0, transactionCode: second.code, bankReference: `REF-${second.id}` },
          ...{ sentAt: sent.toISOString(), sentBy: "" },
        },
      ],
    });
    const [entry] = (await listEntries({ action: "money.exported" })).entries;
    expectMatch(entry, {
      ...{ userId: admin.userId, at, ip: admin.ip, device: admin.device },
      ...{ subject: { kind: "money", id: day }, data: { transfers: 2 } },
    });
    expect(await tell(admin, daysAfter(day, 1))).toEqual({ ok: true, transfers: [] });
    expect((await tell(admin, "2026-11-21")).ok).toBe(true);
    expect(await tell(admin, "2026-11-22")).toEqual({ ok: false, code: "DAY_AHEAD" });
    expect(await tell(member)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });
});

test("settlements of QPay are listed with who entered and confirmed them, twenty-five per page, waiting ones without figures", async () => {
  const [first, second] = [
    await plantUser({ isAdmin: true, displayName: "First" }),
    await plantUser({ isAdmin: true, displayName: "Second" }),
  ];
  const moment = new Date();
  const enter = (who: PlantedUser, bankReference: string) =>
    runAtTime(moment, () => given(enterSettlement(who, { bankReference, received: 9_900, cost: 100 })));
  const listed = async (before?: number) => (await given(readSettlements(first, { before }))).settlements;
  const made = Array.from({ length: 27 }, () => `QPAY-${crypto.randomUUID().toUpperCase()}`);
  for (const bankReference of made) {
    await enter(first, bankReference);
    await enter(second, bankReference);
  }
  const aside = made.map((reference) => `${reference}-A`)[0] ?? "";
  await enter(first, aside);
  const open = (await listed()).waiting.at(-1);
  await runAtTime(moment, () => given(dismissSettlementEntry(second, open?.id ?? 0, { reason: "not ours" })));
  await enter(first, `${aside}-B`);
  const all = await listed();
  const row = {
    received: 9_900,
    cost: 100,
    enteredBy: "First",
    confirmedBy: "Second",
    at: moment.toISOString(),
  };
  expect(all.recorded).toEqual(
    made
      .toReversed()
      .slice(0, 25)
      .map((bankReference) => ({ id: expect.any(Number), bankReference, ...row })) as never,
  );
  const own = { id: expect.any(Number), by: "First", own: true, obstacle: null };
  expect(all.waiting.at(-1)).toEqual({ ...own, enteredAt: moment.toISOString() } as never);
  const laid = {
    id: open?.id ?? 0,
    by: "First",
    asideBy: "Second",
    at: moment.toISOString(),
    reason: "not ours",
  };
  expect(all.laidAside[0]).toEqual(laid);
  const posted = await db().execute<{ journal: string; id: string }>(
    sql`SELECT journal_id AS journal, id FROM payments.settlements WHERE journal_id IS NOT NULL ORDER BY journal_id`,
  );
  const [ids, journals] = [posted.map(({ id }) => Number(id)), posted.map(({ journal }) => Number(journal))];
  const page = async (before?: number) => {
    const { recorded, next } = await listed(before);
    return { ids: recorded.map(({ id }) => id), next };
  };
  expect((await page()).ids).toEqual(ids.slice(-25).reverse());
  expect(await page(journals[26])).toEqual({ ids: ids.slice(1, 26).reverse(), next: journals[1] ?? 0 });
  expect(await page(journals[25])).toEqual({ ids: ids.slice(0, 25).reverse(), next: null });
  expect((await given(readSettlements(first))).settlements).toEqual(await listed());
  expect(await readSettlements(member)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  await given(dismissSettlementEntry(second, all.waiting.at(-1)?.id ?? 0, { reason: "not ours either" }));
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
