import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { RecordAltered, verifyChain } from "#modules/audit";
import { acceptAltered } from "../../../../tests/support/database/accept-altered.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import {
  at,
  due,
  first,
  holding,
  later,
  newBankReference,
  newReference,
  outcome,
  second,
} from "../ledger/money.fixture.ts";
import { approvePayoutRecord } from "../payouts/approve-payout.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "../payouts/resolve-unknown-payout.ts";
import { checkInvoices } from "../provider/check-invoices.ts";
import { opened, useSandbox } from "../provider/provider.fixture.ts";
import { endOutdatedDecisions } from "./check-unreported-payments.ts";
import { holdById, holdsOf, openHoldReasons } from "./list-holds.ts";
import { clearHolds, type NewHold, openHolds } from "./open-holds.ts";
import { resolveHold } from "./resolve-hold.ts";
import type { Hold } from "./schema.ts";

useDatabase();
const sandbox = useSandbox();

async function open(reference: number, over: Partial<NewHold>): Promise<Hold> {
  const hold = { reference, reason: "PAYMENT_REVERSED" as const, subject: "payment:1", facts: {}, ...over };
  await runInTransaction((tx) => openHolds(tx, [hold], at));
  return (await holdsOf(db(), reference)).at(-1) as Hold;
}

/** Forges a proposal of the first administrator to dismiss a hold, with the application's role but not through the application. */
async function forgeProposal({ id }: Hold): Promise<void> {
  await db().execute(sql`UPDATE payments.holds SET proposed_outcome = 'dismissed', proposed_by = ${first.userId},
    proposed_at = ${at.toISOString()}, proposed_note = 'seen at the bank' WHERE id = ${id}`);
}

const confirm = ({ id }: Hold) =>
  runInTransaction((tx) =>
    resolveHold(tx, { id, outcome: "dismissed", note: "seen too", by: second, at: later(5) }),
  );

const checksAsked = async () => {
  const [row] = await db().execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'audit.check' AND singleton_key = 'asked' AND state = 'created'`);
  return row?.count;
};

/** The hold stays open and is refused, is reported to administrators, and can be resolved once the operator has accepted it. */
async function expectRefused(hold: Hold): Promise<void> {
  await expect(confirm(hold)).rejects.toThrow(RecordAltered);
  expect(await holdById(db(), hold.id)).toMatchObject({ closedAt: null, outdatedAt: null });
  expect(await verifyChain()).toMatchObject({ ok: false, reason: `hold ${hold.id} was altered` });
  expect(await checksAsked()).toBe(1);
  await acceptAltered("hold", hold.id);
  expect(await verifyChain()).toMatchObject({ ok: true });
}

describe("an automatic change of an altered hold does not reseal it", () => {
  test("when the provider reports the payment as paid again", async () => {
    const reference = await holding(100);
    const hold = await open(reference, {});
    await forgeProposal(hold);
    const again = () => runInTransaction((tx) => endOutdatedDecisions(tx, reference, ["1"], later(1)));
    await again();
    await expectRefused(hold);
    await again();
    expectMatch(await holdById(db(), hold.id), { outdatedAt: later(1) });
  });

  test("when a closed one was altered", async () => {
    const reference = await holding(100);
    const hold = await open(reference, {});
    await db().execute(sql`UPDATE payments.holds SET proposed_outcome = 'dismissed', proposed_by = ${first.userId}, proposed_at = now(),
      proposed_note = 'x', closed_at = now(), outcome = 'dismissed', closed_by = ${second.userId}, note = 'x' WHERE id = ${hold.id}`);
    await runInTransaction((tx) => endOutdatedDecisions(tx, reference, ["1"], later(1)));
    expect(await verifyChain()).toMatchObject({ ok: false, reason: `hold ${hold.id} was altered` });
    const { id } = await due(reference, "payout", 90, 10);
    await expect(outcome((tx) => approvePayoutRecord(tx, { id, at, by: first }))).rejects.toThrow(
      RecordAltered,
    );
    await acceptAltered("hold", hold.id);
  });

  test("when the same is reported with other facts", async () => {
    const reference = await holding(100);
    const hold = await open(reference, { facts: { status: "REFUNDED" } });
    await forgeProposal(hold);
    await open(reference, { facts: { status: "REFUNDED", wallet: "a bank" } });
    expect(await holdById(db(), hold.id)).toMatchObject({ facts: { status: "REFUNDED" } });
    await expectRefused(hold);
    const after = await open(reference, { facts: { status: "REFUNDED", wallet: "a bank" } });
    expect(after).toMatchObject({ id: hold.id, facts: { wallet: "a bank" } });
  });

  test("when the response would end it; another, unaltered hold of the trade ends", async () => {
    const reference = await holding(100);
    const silent = { reference, reason: "CHECK_UNANSWERED" as const };
    const hold = await open(reference, { ...silent, subject: "invoice:1" });
    await open(reference, { ...silent, subject: "invoice:2" });
    await forgeProposal(hold);
    const clear = () => runInTransaction((tx) => clearHolds(tx, silent, later(1)));
    expect(await clear()).toBe(1);
    await expectRefused(hold);
    expect(await clear()).toBe(1);
    expect(await openHoldReasons(db(), reference)).toEqual([]);
  });
});

test("a provider's response about the trade of an altered hold is stored, and the payment beside it counts", async () => {
  const reference = newReference();
  const { providerId } = await opened(reference, 10_000);
  const { paymentIds } = await sandbox.pay(providerId, { callback: false, currency: "USD" });
  const asked = (seconds: number) =>
    checkInvoices(reference, new Date(Date.now() + seconds * 1000), { force: true });
  await asked(0);
  const hold = (await holdsOf(db(), reference))[0] as Hold;
  await forgeProposal(hold);
  await db().execute(sql`UPDATE sandbox.payments SET currency = 'MNT' WHERE id = ${paymentIds[0] ?? ""}`);
  expect(await asked(3)).toMatchObject({ complete: true, rows: [{ amount: 10_000 }], problems: [] });
  await expectRefused(hold);
});

test("a transfer's result is refused while the hold that it ends is altered, and accepted once that is examined", async () => {
  const reference = await holding(100);
  const { id } = await due(reference, "payout", 90, 10);
  await outcome((tx) => approvePayoutRecord(tx, { id, at, by: first }));
  await outcome((tx) => markPayoutUnknown(tx, { id, reason: "the line broke", at, by: first }));
  const hold = (await holdsOf(db(), reference))[0] as Hold;
  await db().execute(sql`UPDATE payments.holds SET figures = 'another' WHERE id = ${hold.id}`);
  const found = { id, outcome: "sent" as const, bankReference: newBankReference(), at, by: first };
  const say = (tx: Tx) => resolveUnknownPayout(tx, found);
  await expect(outcome(say)).rejects.toThrow(RecordAltered);
  await acceptAltered("hold", hold.id);
  expect(await outcome(say)).toBe("ok");
  expect(await openHoldReasons(db(), reference)).toEqual([]);
});
