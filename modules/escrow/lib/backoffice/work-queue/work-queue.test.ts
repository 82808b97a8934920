import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { DEAD_LETTERS, drainJobs } from "#db/jobs";
import {
  approvePayoutRecord,
  createDuePayout,
  openHolds,
  payoutsOf,
  recordPayments,
} from "#modules/payments";
import { ownerDatabase, useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { workKinds } from "../../../forms.ts";
import { payoutTasks } from "./payout-tasks.ts";
import { workQueue } from "./work-queue.ts";

useDatabase();

let admin: Awaited<ReturnType<typeof plantUser>>;
beforeAll(async () => {
  admin = await plantUser({ isAdmin: true });
});

// Each test begins with an empty queue.
beforeEach(async () => {
  for (const over of [
    sql`UPDATE payments.payouts SET state = 'void', voided_at = now(), reason = 'over' WHERE state IN ('due', 'approved')`,
    sql`UPDATE payments.settlements SET laid_aside_by = 1, laid_aside_at = now(), aside_reason = 'over'
      WHERE confirmed_at IS NULL AND laid_aside_at IS NULL`,
    sql`UPDATE escrow.hand_confirmations SET aside_of = trade_id, trade_id = NULL, laid_aside_by = 1, laid_aside_at = now()
      WHERE confirmed_at IS NULL AND laid_aside_at IS NULL`,
    sql`DELETE FROM escrow.disputes`,
    sql`DELETE FROM escrow.deadlines`,
    sql`UPDATE payments.holds SET closed_at = now(), outcome = 'cleared' WHERE closed_at IS NULL`,
    sql`DELETE FROM payments.reconciliation_tasks`,
    sql`DELETE FROM payments.ledger_checks`,
    sql`DELETE FROM mailer.messages`,
    sql`DELETE FROM pgboss.job`,
  ]) {
    await ownerDatabase().execute(over);
  }
});

async function queue() {
  const found = await workQueue(admin);
  if (!found.ok) throw new Error(found.code);
  return found.queue;
}

/** Plants `count` payouts or refunds, the first due `hours` hours ago and the others one second apart. */
const due = (kind: "payout" | "refund", source: string, { count, hours }: { count: number; hours: number }) =>
  db().execute(sql`
    INSERT INTO payments.payouts (reference, kind, source, amount, fee, state, due_at, created_at)
    SELECT ${hours * 1000}::int + n, ${kind}, ${source}, 100, 0, 'due',
      now() - ${hours}::int * interval '1 hour' + n * interval '1 second', now()
    FROM generate_series(1, ${count}::int) AS n`);

const failedMails = (count: number) =>
  db().execute(sql`
    INSERT INTO mailer.messages (message_id, template, language, recipient, data, state, attempts, last_error, created_at, ended_at)
    SELECT gen_random_uuid()::text, 'welcome', 'en', 'bat@example.mn', '{}', 'failed', 1, 'full', now(), now()
    FROM generate_series(1, ${count}::int)`);

test("refunds stay in the queue however many payouts are due before them, and each kind shows whether there is more", async () => {
  await failedMails(100);
  await due("payout", "escrow", { count: 101, hours: 9 });
  await due("refund", "escrow", { count: 2, hours: 2 });
  await due("refund", "suspense:1", { count: 1, hours: 1 });
  const { payouts, chores, more } = await queue();
  const of = (wanted: string, from: (source: string) => boolean) =>
    payouts.filter(({ kind, source }) => kind === wanted && from(source)).length;
  const own = (source: string) => source === "escrow";
  expect([of("payout", own), of("refund", own), of("refund", (source) => !own(source))]).toEqual([100, 2, 1]);
  expect(chores).toHaveLength(100);
  expect(more).toEqual(["payout"]);
  expect(payouts.map(({ dueAt }) => dueAt)).toEqual(payouts.map(({ dueAt }) => dueAt).sort());
  await failedMails(1);
  const now = await queue();
  expect(now.chores).toHaveLength(100);
  expect(now.more).toEqual(["payout", "mail"]);
});

describe("each kind of work", () => {
  const now = new Date("2026-11-21T09:00:00.000Z");
  const hour = 3_600_000;
  const begin = Date.parse("2026-11-20T00:00:00Z");
  const fromBegin = (hours: number) => new Date(begin + hours * hour).toISOString();
  const when = (hours: number) => sql`${fromBegin(hours)}::timestamptz`;

  async function queueNow() {
    const restore = setClock(() => now);
    try {
      return await queue();
    } finally {
      restore();
    }
  }

  const clock = (trade: number, kind: string, state: string, due: number) =>
    db().execute(sql`
      INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at, overdue_at, closed_at)
      VALUES (${trade}, ${kind}, ${state}, ${when(0)}, ${when(due)}, ${state === "overdue" ? when(due) : null},
        ${state === "closed" ? when(due) : null})`);
  const dispute = (trade: number, opened: number, mediator: number | null) =>
    db().execute(sql`
      INSERT INTO escrow.disputes (trade_id, opened_by, opened_from, opened_at, taken_by, taken_at)
      VALUES (${trade}, 'seller', 'payment_confirmed', ${when(opened)}, ${mediator}, ${mediator && when(opened)})`);
  const propose = (trade: number, proposed: number, proposer: number) =>
    db().execute(sql`
      INSERT INTO escrow.hand_confirmations (trade_id, amount, bank_reference, proposed_by, proposed_at)
      VALUES (${trade}, 5, ${crypto.randomUUID()}, ${proposer}, ${when(proposed)})`);
  const hold = (reference: number, opened: number, payment: string) =>
    db().execute(sql`
      INSERT INTO payments.holds (reference, reason, subject, facts, opened_at)
      VALUES (${reference}, 'ODD_ROW', ${payment}, '{}', ${when(opened)})`);
  const settlement = (proposed: number, proposer: number) =>
    db().execute(sql`
      INSERT INTO payments.settlements (bank_reference, received, cost, proposed_by, proposed_at)
      VALUES (${crypto.randomUUID().toUpperCase()}, 5, 0, ${proposer}, ${when(proposed)})`);
  const report = (filed: number) =>
    db().execute(sql`
      INSERT INTO escrow.reports (number, fingerprint, about, happened, words, reporter_id, person_id, room_id, held, suspect, created_at)
      SELECT 'RP-' || translate(upper(left(md5(key), 8)), 'ILOU', '0000'), left(repeat(md5(key), 2), 43), 'person', 'fraud', 'Words', 1, 2, 3,
        false, false, ${when(filed)}::timestamptz
      FROM (SELECT ${crypto.randomUUID()}::text AS key) AS keys`);
  const restriction = async (placed: number) => {
    const { userId } = await plantUser();
    await ownerDatabase().execute(sql`
      INSERT INTO identity.restrictions (user_id, kind, cause, note, placed_by, placed_at, until, for_good)
      VALUES (${userId}, 'limit', 'fraud', 'Words', ${userId}, ${when(placed)}::timestamptz, ${when(100)}::timestamptz, true)`);
  };
  const difference = (found: number, there: number | null, here: number | null) =>
    db().execute(sql`
      INSERT INTO payments.reconciliation_tasks (day, cause, subject, figures, there_amount, here_amount, found_at, seen_at)
      VALUES (${fromBegin(0).slice(0, 10)}, 'amount', ${crypto.randomUUID()}, '', ${there}, ${here}, ${when(found)}, now())`);
  const mail = (failed: number) =>
    db().execute(sql`
      INSERT INTO mailer.messages (message_id, template, language, recipient, user_id, data, state, attempts, last_error,
        created_at, ended_at)
      VALUES (${crypto.randomUUID()}, 'welcome', 'en', 'dorj@example.mn', 7, '{}', 'failed', 1, 'full', now(), ${when(failed)})`);

  test("is described completely: whose trade, since when and until when, the longest waiting first", async () => {
    const other = await plantUser({ isAdmin: true, displayName: "Other" });
    const [taken, free] = [await plantTrade("disputed"), await plantTrade("disputed")];
    await dispute(free.id, 2, null);
    await clock(free.id, "dispute_ruling", "closed", 20);
    await clock(free.id, "dispute_statements", "running", 21);
    await dispute(taken.id, 1, other.userId);
    await clock(taken.id, "dispute_ruling", "running", 30);

    const late = await plantTrade("payment_confirmed");
    const kinds = ["payment_window", "hand_over", "admin_review", "seller_finish", "refund_account"] as const;
    for (const [at, kind] of kinds.entries()) await clock(late.id, kind, "overdue", 9 - at);
    for (const kind of ["buyer_finish", "payout", "dispute_ruling", "dispute_statements"]) {
      await clock(late.id, kind, "overdue", 1);
    }
    await clock(taken.id, "hand_over", "running", 1);

    const [first, second] = ["a", "b"];
    await hold(900_000_000 + late.id, 4, second);
    await hold(late.id, 3, first);

    const [over, unpaid, later] = [
      await plantTrade("completed"),
      await plantTrade("cancelled"),
      await plantTrade("completed"),
    ];
    await db().execute(
      sql`UPDATE escrow.trades SET ended_at = ${when(5)} WHERE id IN (${over.id}, ${unpaid.id}, ${later.id})`,
    );
    await propose(later.id, 8, other.userId);
    await propose(unpaid.id, 3, admin.userId);
    await propose(over.id, 4, other.userId);
    await propose(late.id, 2, other.userId);
    await settlement(2, admin.userId);
    await settlement(1, other.userId);
    await difference(1, 500, 700);
    await difference(2, null, 700);
    await mail(3);
    await db().execute(sql`
      INSERT INTO payments.ledger_checks
      VALUES (${now.toISOString()}::timestamptz, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '[]')`);

    const read = await queueNow();
    expect(read.alarms).toEqual([{ of: "ledger", state: "broken", since: now.toISOString() }]);
    expect(read.serverTime).toBe(now.toISOString());
    const of = ({ id, code }: { id: number; code: string }) => ({ transactionId: id, transactionCode: code });
    const quiet = { answered: null, proposed: null };
    expect(read.disputes).toEqual([
      {
        ...of(taken),
        openedBy: "seller",
        openedAt: fromBegin(1),
        mediator: "Other",
        dueAt: fromBegin(30),
        ...quiet,
      },
      {
        ...of(free),
        openedBy: "seller",
        openedAt: fromBegin(2),
        mediator: null,
        dueAt: fromBegin(2 + 48),
        ...quiet,
      },
    ]);
    const overdue = kinds.map((kind, at) => ({ ...of(late), kind, dueAt: fromBegin(9 - at) })).reverse();
    expect(read.overdue).toEqual(overdue);
    const odd = { reasons: ["ODD_ROW"] as const, secondNeeded: false };
    expect(read.holds).toEqual([
      { ...odd, ...of(late), openedAt: fromBegin(3), dueAt: fromBegin(6) },
      {
        ...{ ...odd, transactionId: expect.any(Number), transactionCode: "" },
        ...{ openedAt: fromBegin(4), dueAt: fromBegin(7) },
      },
    ] as never);
    const theirs = { id: expect.any(Number), by: "Other", own: false, obstacle: null };
    const own = { ...theirs, by: admin.displayName, own: true };
    expect(read.handConfirmations).toEqual([
      { ...of(late), proposal: theirs, proposedAt: fromBegin(2), dueAt: fromBegin(5) },
      { ...of(unpaid), proposal: own, proposedAt: fromBegin(3), dueAt: fromBegin(6) },
      { ...of(later), proposal: theirs, proposedAt: fromBegin(8), dueAt: fromBegin(11) },
    ]);
    expect(read.settlements).toEqual([
      { proposal: theirs, proposedAt: fromBegin(1), dueAt: fromBegin(25) },
      { proposal: own, proposedAt: fromBegin(2), dueAt: fromBegin(26) },
    ]);
    const chores = (kind: string) => read.chores.filter((one) => one.kind === kind);
    const apart = {
      kind: "difference",
      id: expect.any(Number),
      day: fromBegin(0).slice(0, 10),
      cause: "amount",
    };
    expect(chores("difference")).toEqual([
      { ...apart, amount: 500, dueAt: fromBegin(25) },
      { ...apart, amount: 700, dueAt: fromBegin(26) },
    ] as never);
    expect(chores("mail")[0]).toEqual({
      ...{
        kind: "mail",
        id: expect.any(Number),
        template: "welcome",
        recipient: "dorj@example.mn",
        userId: 7,
      },
      ...{ reason: "full", dueAt: fromBegin(27) },
    });
  });

  test("about money shows whose it is, its destination, who is making the transfer and whether it is late", async () => {
    const { id, code, seller } = await plantTrade("settlement_pending");
    const ids = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID() };
    const row = { ...ids, amount: 115_000, paidAt: now, payerBank: "050000" };
    const late = new Date(now.getTime() - 1);
    await runInTransaction(async (tx) => {
      await recordPayments(tx, { reference: id, rows: [row], owed: 110_000, at: late });
      const parts = { reference: id, fee: 0, at: late, by: { userId: null } };
      const destination = { bankName: "Khan Bank", accountName: "Bat", accountNumber: "5012345678" };
      const toSeller = { kind: "payout", amount: 70_000, recipientId: seller.userId, destination } as const;
      const made = await createDuePayout(tx, { ...parts, ...toSeller, dueAt: new Date(now.getTime() + 1) });
      await createDuePayout(tx, {
        ...parts,
        kind: "refund",
        amount: 40_000,
        recipientId: 999_999,
        dueAt: now,
      });
      const by = { userId: admin.userId, relatedAdminIds: [admin.userId], keepsRight: async () => true };
      if (made.ok) await approvePayoutRecord(tx, { id: made.payout.id, at: late, by });
      await tx.execute(sql`UPDATE payments.payouts SET due_at = ${late.toISOString()}::timestamptz
        WHERE reference = ${id} AND source <> 'escrow'`);
    });
    const all = await payoutsOf(db(), id);
    const [excess, payout, refund] = all.map((one) => one.id);
    const tasks = await payoutTasks(admin.userId, all, now);
    const of = { transactionId: id, transactionCode: code, referenceMissing: false, onHold: false, fee: 0 };
    const nowhere = { destination: null, destinationDigest: "" };
    const waits = { ...of, kind: "refund", state: "due", ...nowhere, approvedBy: null, sender: null };
    const since = late.toISOString();
    expect(tasks).toEqual([
      {
        ...{
          ...waits,
          id: excess,
          source: expect.stringMatching(/^suspense:/),
          amount: 5_000,
          recipient: null,
        },
        ...{ fourEyes: false, payerBanks: ["050000"], dueAt: since, overdue: true },
      },
      {
        ...{ ...waits, id: refund, source: "escrow", amount: 40_000 },
        recipient: { id: 999_999, displayName: "" },
        ...{ fourEyes: false, payerBanks: ["050000"], dueAt: now.toISOString(), overdue: true },
      },
      {
        ...{ ...of, id: payout, kind: "payout", source: "escrow", amount: 70_000, state: "approved" },
        destination: { bankName: "Khan Bank", accountName: "Bat", accountNumber: "5012345678" },
        destinationDigest: expect.stringMatching(/^[\w-]{43}$/),
        recipient: { id: seller.userId, displayName: "Bat Erdene" },
        sender: { id: admin.userId, displayName: admin.displayName, since },
        ...{ approvedBy: admin.userId, fourEyes: false, payerBanks: [] },
        ...{ dueAt: new Date(now.getTime() + 1).toISOString(), overdue: false },
      },
    ] as never);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 114_999 });
    const eyes = await payoutTasks(seller.userId, all, now);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined });
    expect(eyes.map(({ fourEyes }) => fourEyes)).toEqual([true, true, true]);
    expect(eyes[2]?.destination?.accountNumber).toBe("••••5678");
    const alike = await payoutTasks(admin.userId, all.map((one) => ({ ...one, dueAt: now })).reverse(), now);
    expect(alike.map((one) => one.id)).toEqual(all.map((one) => one.id));
    const held = { reference: id, reason: "FRAUD_REPORT", subject: "report:1", facts: {} } as const;
    await runInTransaction((tx) => openHolds(tx, [held], now));
    expect((await payoutTasks(admin.userId, all, now)).map(({ onHold }) => onHold)).toEqual([
      true,
      true,
      true,
    ]);
    const stray = all.map((one) => ({ ...one, reference: 999_999 }));
    expect((await payoutTasks(admin.userId, stray, now))[0]?.transactionCode).toBe("");
  });

  test("lists a hundred, and shows where there are more", async () => {
    const many = Array.from({ length: 101 }, (_, at) => at);
    const mark = crypto.randomUUID();
    const trades = await ownerDatabase().execute<{ id: string }>(sql`
      INSERT INTO escrow.trades (code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net,
        description, status, disputed_from, roles_locked_at, confirmed_at, created_at, updated_at)
      SELECT 'MM-' || translate(upper(left(md5(${mark} || n), 8)), 'ILOU', '0000'), nextval('rooms.rooms_id_seq'), 1, 2, 5, 0, 'buyer',
        'standard', 5, 5, ${mark}, 'disputed', 'payment_confirmed', now(), now(), now(), now()
      FROM generate_series(1, 101) AS n RETURNING id`);
    await drainJobs();
    await db().execute(sql`
      INSERT INTO pgboss.job (name, source_name) SELECT ${DEAD_LETTERS}, 'test.queue' FROM generate_series(1, 101)`);
    for (const at of many) {
      const id = Number(trades[at]?.id);
      await dispute(id, 1, null);
      await clock(id, "hand_over", "overdue", 1);
      await hold(id, 1, `${mark}-${at}`);
      await propose(id, 1, admin.userId);
      await settlement(1, admin.userId);
      await report(1);
      await restriction(1);
      await difference(1, null, null);
      await mail(1);
    }
    const read = await queueNow();
    const lists = [
      "disputes",
      "overdue",
      "holds",
      "handConfirmations",
      "settlements",
      "restrictions",
      "reports",
    ] as const;
    expect(lists.map((list) => read[list].length)).toEqual([100, 100, 100, 100, 100, 100, 100]);
    const chores = (kind: string) => read.chores.filter((one) => one.kind === kind).length;
    expect(["difference", "job", "mail"].map(chores)).toEqual([100, 100, 100]);
    await due("payout", "escrow", { count: 101, hours: 1 });
    await due("refund", "escrow", { count: 101, hours: 1 });
    await due("refund", "suspense:1", { count: 101, hours: 1 });
    expect<readonly string[]>(read.more).toEqual(
      workKinds.filter((kind) => !["alarm", "payout", "refund", "suspense"].includes(kind)),
    );
    const whole = await queueNow();
    expect(whole.payouts).toHaveLength(300);
    expect(whole.more).toEqual(workKinds.filter((kind) => kind !== "alarm"));
  });
});
