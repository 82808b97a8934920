import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import { verifyChain } from "#modules/audit";
import { downloadPersonalData } from "#modules/identity";
import { createDuePayout, haltMoney, payoutsOf, verifyLedger, voidLivePayouts } from "#modules/payments";
import { readHistory, sendMessage } from "#modules/rooms";
import { settleShownTrade } from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { acceptAltered } from "../../../../tests/support/database/accept-altered.ts";
import { tablesWith } from "../../../../tests/support/database/all-rows.ts";
import { noPartition } from "../../../../tests/support/database/partition-filter.ts";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  confirmByBoth,
  createPaidTrade,
  createRequestedTrade,
  type PlantedTrade,
  readAuditActions,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import * as escrow from "../../index.ts";
import { supportRequestsTable } from "../support/schema.ts";
import { applyRetention } from "./apply-retention.ts";

useDatabase();
useSandboxProvider();

const said = "meet me at the third entrance";
const note = "the code is under the mat";
const complaint = "the second password was wrong";
const wanted = "my old account of level sixty";
const refund = { accountName: "Dorjsuren Refund", bankName: "Golomt Bank", accountNumber: "1105998877" };
const contact = {
  infoType: "buyer",
  accountName: "Dorjsuren Buyer",
  phoneNumber: "88776655",
  email: "dorjsuren@example.mn",
} as const;
/** What both parties wrote and gave in their trades. */
const personal = [
  ...[said, note, complaint, wanted],
  ...["5012345678", "99112233", "bat@example.mn"],
  ...[refund.accountName, refund.accountNumber, contact.accountName, contact.phoneNumber, contact.email],
];

type Succeeded<T> = Extract<T, { ok: true }>;

/** Awaits a call that must succeed, and returns its result. */
async function done<T extends { ok: boolean }>(outcome: Promise<T>): Promise<Succeeded<T>> {
  const answer = await outcome;
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer as Succeeded<T>;
}

/** A trade in which both parties wrote and gave everything, with a dispute that was withdrawn. */
async function told(): Promise<PlantedTrade> {
  const deal = await createPaidTrade();
  for (const who of [deal.buyer, deal.seller]) {
    await done(sendMessage(who, deal.roomId, { content: said }));
  }
  await db().execute(sql`UPDATE escrow.trades SET description = ${wanted} WHERE id = ${deal.id}`);
  await acceptAltered("trade", deal.id);
  await done(escrow.handOver(deal.seller, deal.id, { note }));
  await done(escrow.saveBankInfo(deal.buyer, deal.id, contact));
  await done(escrow.shareInfo(deal.seller, deal.id, { info: said }));
  await done(escrow.openDispute(deal.buyer, deal.id, { reason: complaint }));
  await done(withdrawDispute(deal.buyer, deal.id));
  return deal;
}

async function completed(): Promise<PlantedTrade> {
  const deal = await told();
  await confirmByBoth(deal);
  await done(settleShownTrade(deal.admin, deal.id, { bankReference: `RT-${deal.id}` }));
  await drainJobs();
  return deal;
}

/** A trade cancelled by both parties, with a refund account; `sent`: the refund was sent. */
async function cancelled(sent: boolean): Promise<PlantedTrade> {
  const deal = await told();
  await done(escrow.requestCancellation(deal.buyer, deal.id));
  await done(escrow.requestCancellation(deal.seller, deal.id));
  await done(escrow.saveRefundDestination(deal.buyer, deal.id, refund));
  if (sent) await done(settleShownTrade(deal.admin, deal.id, { bankReference: `RT-${deal.id}` }));
  await drainJobs();
  return deal;
}

const years = (count: number, days = 0) => {
  const at = new Date();
  at.setFullYear(at.getFullYear() + count);
  return new Date(at.getTime() + days * 86_400_000);
};
const sweep = (at: Date) => runAtTime(at, () => applyRetention(at));

const marker = "words that are over";

/** Columns of these three schemas that are never erased and hold nobody's own text. */
const kept = {
  "a number of the bank or the provider": [
    ...["escrow.hand_confirmations.bank_reference", "payments.payouts.bank_reference"],
    ...["payments.settlements.bank_reference", "payments.payouts.reported_reference"],
    ...["payments.payments.hand_reference", "payments.payments.provider_payment_id"],
    ...["payments.invoices.provider_id", "payments.provider_invoices.provider_id"],
    ...["payments.provider_invoices.announced_payment"],
    ...["payments.payments.provider_payment_key", "payments.holds.subject", "payments.holds.figures"],
    ...["payments.provider_invoices.sender_invoice_no", "payments.reconciliation_tasks.provider_payment_id"],
  ],
  "a code, an account or a key of ours": [
    ...["escrow.trades.code", "escrow.evidence_key.public_key", "payments.balances.account"],
    ...["payments.entries.account", "payments.journals.event", "payments.invoices.description"],
    ...[
      "payments.payouts.source",
      "payments.reconciliation_tasks.subject",
      "payments.reconciliation_tasks.figures",
    ],
    ...["payments.ledger_checks.problems"],
  ],
  "one of a few words, a number, a digest or a file's name, by its constraint": [
    ...["escrow.trades.disputed_from", "payments.provider_invoices.withdrawal"],
    ...["escrow.ruling_proposals.ruling", "payments.payouts.account_digest", "payments.holds.facts_digest"],
    ...["payments.reconciliation_runs.failure", "escrow.details.iban", "rooms.invites.code"],
    ...["rooms.images.mime", "rooms.images.sha256", "rooms.images.sent_sha256", "rooms.messages.image_url"],
  ],
  "what the provider calls a way to pay, a bank, a state or a refusal": [
    ...["payments.payments.kind", "payments.payments.wallet", "payments.payments.payer_bank"],
    ...["payments.invoices.qr_text", "payments.invoices.short_url", "payments.invoices.bank_links"],
    ...["payments.provider_invoices.refusal", "payments.reconciliation_tasks.there_status"],
  ],
};

type Column = { name: string; table: string; column: string; json: boolean };

/** Every column of text or JSON that is not listed above. */
async function textColumns(): Promise<Column[]> {
  const rows = await db().execute<Column>(sql`
    SELECT c.table_schema || '.' || c.table_name || '.' || c.column_name AS name,
      c.table_schema || '.' || c.table_name AS table, c.column_name AS column, c.data_type = 'jsonb' AS json
    FROM information_schema.columns c
    WHERE c.table_schema IN ('escrow', 'payments', 'rooms') AND c.data_type IN ('text', 'character varying', 'jsonb', 'json')
      AND ${noPartition}
    ORDER BY 1`);
  const staying = new Set(Object.values(kept).flat());
  return rows.filter(({ name }) => !staying.has(name));
}

/**
 * Writes the marker into every row that can hold it, bypassing the triggers. A column whose constraint refuses it cannot hold free text.
 * Returns the columns that hold it now.
 */
async function plant(columns: readonly Column[]): Promise<string[]> {
  const planted: string[] = [];
  for (const { name, table, column, json } of columns) {
    const field = sql.identifier(column);
    const value = json
      ? sql`${field} || jsonb_build_object('problems', ${marker}::text)`
      : sql`${marker} || ctid::text`;
    const some = json ? sql`jsonb_typeof(${field}) = 'object'` : sql`${field} IS NOT NULL`;
    for (const where of json ? [some] : [sql`true`, some]) {
      const rows = await ownerDatabase()
        .transaction(async (tx) => {
          await tx.execute(sql`SET LOCAL session_replication_role = replica`);
          return tx.execute(sql`UPDATE ${sql.raw(table)} SET ${field} = ${value} WHERE ${where} RETURNING 1`);
        })
        .catch(onlyRefused);
      if (rows.length > 0) planted.push(name);
    }
  }
  return [...new Set(planted)];
}

function onlyRefused(error: unknown): [] {
  const { code } = ((error as Error).cause ?? error) as { code?: string };
  if (code === "23514") return [];
  throw error;
}

/** The columns in which every row is empty, so that nothing is known about what they can hold. */
async function never(columns: readonly Column[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, table, column } of columns) {
    const filled = sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${sql.identifier(column)} IS NOT NULL LIMIT 1`;
    if ((await db().execute(filled)).length === 0) found.push(name);
  }
  return found;
}

/** The columns that contain the marker. */
async function marked(columns: readonly Column[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, table, column } of columns) {
    const rows = await db().execute(sql`
      SELECT 1 FROM ${sql.raw(table)} WHERE ${sql.identifier(column)}::text LIKE ${`%${marker}%`} LIMIT 1`);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** A hold that the provider caused and an administrator resolved at a time. */
const resolvedHold = ({ id, admin }: PlantedTrade, code: string, at: Date) =>
  db().execute(sql`
    INSERT INTO payments.holds (reference, reason, subject, facts, opened_at, closed_at, outcome, closed_by, note,
      proposed_outcome, proposed_by, proposed_at, proposed_note)
    VALUES (${id}, ${code}, 'payment:1', jsonb_build_object('note', ${marker}::text), now(), ${at.toISOString()}, 'dismissed',
      ${admin.userId}, ${marker}, 'dismissed', ${admin.userId + 1}, now(), ${marker})`);

/** Adds what administrators write about a trade's money, up to a year after its end, and about money that belongs to nobody. */
async function annotated(deal: PlantedTrade): Promise<void> {
  const { id } = deal;
  const by = deal.admin.userId;
  await resolvedHold(deal, "ODD_ROW", years(1));
  await db().execute(
    sql`UPDATE payments.holds SET closed_at = now(), outcome = 'cleared' WHERE closed_at IS NULL`,
  );
  await db().execute(sql`
    INSERT INTO payments.reconciliation_tasks
      (day, cause, subject, figures, reference, found_at, seen_at, state, closed_at, resolved_by, note)
    SELECT current_date, 'by_hand', n || '-' || ${id}::text, 'x', CASE n WHEN 1 THEN ${id}::bigint END, now(), now(), 'resolved',
      now() + (2 - n) * interval '1 year', ${by}, 'x'
    FROM generate_series(1, 2) n`);
  await db().execute(sql`
    INSERT INTO escrow.hand_confirmations
      (amount, bank_reference, proposed_by, proposed_at, aside_of, laid_aside_by, laid_aside_at, aside_reason)
    VALUES (1, 'RT-1', ${by}, now(), ${id}, ${by}, now(), 'x')`);
  await db().execute(sql`
    INSERT INTO payments.settlements
      (bank_reference, received, cost, proposed_by, proposed_at, laid_aside_by, laid_aside_at, aside_reason)
    VALUES ('RT-1', 1, 0, ${by}, now(), ${by}, now(), 'x')`);
  await db().execute(sql`UPDATE payments.payouts SET reason = 'x' WHERE reference = ${id}`);
  // Bypasses the trigger: an administrator can no longer enter the account of a refund that was sent.
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`
      UPDATE payments.payouts SET named_by = approved_by + 1, named_at = now(), named_reason = 'x'
      WHERE reference = ${id} AND kind = 'refund'`);
    await tx.execute(sql`
      INSERT INTO escrow.ruling_proposals (trade_id, dispute_id, ruling, sum, reason, proposed_by, proposed_at)
      VALUES (${id}, ${id}, 'refund', 1, 'x', ${by}, now())`);
  });
  for (const on of [true, false]) await haltMoney({ on, reason: "x", at: new Date(), by: { userId: by } });
}

describe("two years after the end", () => {
  // Must run first: a trade that is erased already cannot be written to.
  test("no column keeps a text that someone wrote", async () => {
    const deals = [await completed(), await cancelled(true)];
    for (const deal of deals) await annotated(deal);
    await db().execute(sql`
      INSERT INTO escrow.support_requests (number, fingerprint, name, email, code, topic, message, suspect, created_at)
      VALUES ('SR-AAAAAAAA', repeat('a', 43), 'x', 'bat@example.mn', 'MM-AAAAAAAA', 'account', 'please help me', false, now())`);
    await db().execute(sql`
      INSERT INTO escrow.reports (number, fingerprint, about, happened, words, reporter_id, email, person_id, room_id, trade_id, message_id,
        message, message_at, held, suspect, created_at, resolved_at, resolved_by, note)
      VALUES ('RP-AAAAAAAA', repeat('a', 43), 'message', 'fraud', 'x', 1, NULL, 2, 3, NULL, 4, 'x', now(), false, false, now(), now(), 5, 'x'),
        ('RP-BBBBBBBB', repeat('b', 43), 'code', 'fraud', 'x', NULL, 'bat@example.mn', NULL, NULL, ${deals[0]?.id}, NULL, NULL, NULL, false,
        false, now(), now(), 5, 'x')`);
    const columns = await textColumns();
    const planted = await plant(columns);
    for (const { id } of deals) await acceptAltered("trade", id);
    expect(await never(columns.filter(({ name }) => !planted.includes(name)))).toEqual([]);
    await sweep(years(2, 1));
    expect(await marked(columns)).toEqual([]);
    // What an administrator writes about an erased trade later is kept for two years from its own date.
    await resolvedHold(deals[0] as PlantedTrade, "UNKNOWN_STATUS", years(3));
    await sweep(years(5, -1));
    expect(await marked(columns)).toEqual([
      ...["payments.holds.facts", "payments.holds.note", "payments.holds.proposed_note"],
    ]);
    await sweep(years(5, 1));
    expect(await marked(columns)).toEqual([]);
  });

  test("a trade's conversation, accounts and statements are gone; its code, amounts and times stay, ledger and log intact", async () => {
    const deals = [await completed(), await cancelled(true)];
    // Adds the log entries, as an older version would have written them, for what the test above planted.
    await db().execute(sql`
      INSERT INTO audit.entries (at, action, data)
      SELECT now(), 'hold.resolved', jsonb_build_object('hold', id) FROM payments.holds`);
    await db().execute(sql`
      INSERT INTO audit.entries (at, action, subject_kind, subject_id, data)
      SELECT now(), kind || '.destination', kind, id::text, '{"after": {}}' FROM payments.payouts`);
    const before = await verifyLedger();
    expect((await tablesWith(personal)).length).toBeGreaterThan(4);
    await sweep(years(2, -1));
    expect((await tablesWith(personal)).length).toBeGreaterThan(4);
    await sweep(years(2, 1));
    await drainJobs(years(2, 1));
    expect(await tablesWith(personal)).toEqual([]);
    const after = await verifyLedger();
    expect(after).toEqual(before);
    expect(after.ok).toBe(true);
    expect(await verifyChain()).toMatchObject({ ok: true });
    for (const { id, roomId, buyer, seller, admin } of deals) {
      for (const party of [buyer, seller]) {
        expect(await escrow.readTrade(party, id)).toMatchObject({ ok: false, code: "TRANSACTION_NOT_FOUND" });
        expect(await readHistory(party, roomId, {})).toMatchObject({ ok: false });
        expect(await escrow.historyOf(party, { limit: 50, before: undefined })).toMatchObject({
          transactions: [],
        });
        const own = await downloadPersonalData(party);
        expect(own.ok && own.data.transactions).toEqual([]);
      }
      const seen = await done(escrow.adminTrade(admin, id));
      expect(seen).toMatchObject({ detail: { transaction: { id, amount: 100_000 }, heldAmount: 0 } });
      expect(seen.detail.erasedAt).not.toBeNull();
    }
    await sweep(years(2, 2));
    expect(await verifyLedger()).toEqual(before);
  });

  test("a trade that cannot be erased blocks no other, nor old support requests, and is named by its number at the end", async () => {
    const [first, stuck, last] = [await completed(), await completed(), await completed()];
    await db()
      .insert(supportRequestsTable)
      .values({
        ...{ number: "SR-01D01D01", fingerprint: "o".repeat(43), topic: "other", suspect: false },
        ...{ name: "Old", email: "old@example.mn", message: "an old question", createdAt: new Date() },
      });
    for (const on of [true, false]) {
      await haltMoney({ on, reason: "an old alarm", at: new Date(), by: { userId: stuck.admin.userId } });
    }
    await ownerDatabase().execute(
      sql.raw(
        `ALTER TABLE escrow.trades ADD CONSTRAINT stuck CHECK (id <> ${stuck.id} OR erased_at IS NULL) NOT VALID`,
      ),
    );
    for (let again = 0; again < 2; again++) {
      await expect(sweep(years(2, 1))).rejects.toThrow(new Error(`trades not erased (1): ${stuck.id}`));
    }
    const erased = await db().execute<{ id: string; erased: boolean }>(sql`
      SELECT id, erased_at IS NOT NULL AS erased FROM escrow.trades WHERE id >= ${first.id} ORDER BY id`);
    expect(erased.map(({ id, erased }) => [Number(id), erased])).toEqual([
      ...[
        [first.id, true],
        [stuck.id, false],
        [last.id, true],
      ],
    ]);
    expect(await tablesWith(["old@example.mn", "an old alarm"])).toEqual([]);
    await ownerDatabase().execute(sql`ALTER TABLE escrow.trades DROP CONSTRAINT stuck`);
    await sweep(years(2, 1));
    await drainJobs(years(2, 1));
    expect(await tablesWith(personal)).toEqual([]);
  });

  test("a trade that still owes a refund, or has not ended, is kept with its room", async () => {
    const [waiting, running] = [await cancelled(false), await createRequestedTrade()];
    await sweep(years(3));
    for (const { id, buyer } of [waiting, running]) {
      expect(await escrow.readTrade(buyer, id)).toMatchObject({ ok: true });
    }
    // The same holds for held money without a payout due: a person has to look at it.
    const [owed] = await payoutsOf(db(), waiting.id);
    if (owed === undefined) throw new Error("no refund");
    const { amount, fee, destination } = owed;
    const how = { reference: waiting.id, at: new Date(), by: { userId: null } };
    await runInTransaction((tx) => voidLivePayouts(tx, { ...how, reason: "a test" }));
    await sweep(years(3));
    expect(await escrow.readTrade(waiting.buyer, waiting.id)).toMatchObject({ ok: true });
    const due = { kind: "refund", amount, fee, recipientId: waiting.buyer.userId, dueAt: how.at } as const;
    await runInTransaction((tx) =>
      createDuePayout(tx, { ...how, ...due, ...(destination && { destination }) }),
    );
    await done(settleShownTrade(waiting.admin, waiting.id, { bankReference: `RT-${waiting.id}` }));
    await sweep(years(3));
    expect(await escrow.readTrade(waiting.buyer, waiting.id)).toMatchObject({
      code: "TRANSACTION_NOT_FOUND",
    });
    // Ends the trade: tests that drain the jobs of years would run the jobs of an open trade again and again.
    await done(escrow.withdrawRequest(running.seller, running.id));
  });

  test("an open hold keeps its trade; two runs at once erase it once", async () => {
    const deal = await cancelled(true);
    await db().execute(sql`
      INSERT INTO payments.holds (reference, reason, subject, facts, opened_at)
      VALUES (${deal.id}, 'ODD_ROW', 'payment:1', '{}', now())`);
    await sweep(years(3));
    expect(await escrow.readTrade(deal.buyer, deal.id)).toMatchObject({ ok: true });
    await db().execute(sql`
      UPDATE payments.holds SET closed_at = now(), outcome = 'cleared' WHERE reference = ${deal.id}`);
    const at = years(3);
    await runAtTime(at, () => Promise.all([applyRetention(at), applyRetention(at)]));
    expect(await escrow.readTrade(deal.buyer, deal.id)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    expect((await readAuditActions(deal)).filter((action) => action === "transaction.erased")).toHaveLength(
      1,
    );
  });
});
