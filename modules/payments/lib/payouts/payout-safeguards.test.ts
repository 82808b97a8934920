import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  at,
  audited,
  due,
  expectProven,
  first,
  heldBy,
  holding,
  ledgerLinesOf,
  newBankReference,
  outcome,
  second,
} from "../ledger/money.fixture.ts";
import { haltMoney, isMoneyHalted } from "../treasury/halt-money.ts";
import { approvePayoutRecord } from "./approve-payout.ts";
import { claimPayoutRecord } from "./claim-payout.ts";
import { markPayoutSent } from "./mark-payout-sent.ts";
import { findPayout } from "./payouts.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "./resolve-unknown-payout.ts";

useDatabase();

afterEach(async () => {
  overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined });
  await haltMoney({ on: false, reason: "test over", at, by: first });
});

async function approved(amount: number): Promise<{ id: number; reference: number }> {
  const reference = await holding(amount);
  const { id } = await due(reference, "payout", amount);
  expect(await outcome((tx) => approvePayoutRecord(tx, { id, at, by: first }))).toBe("ok");
  return { id, reference };
}

const send = (id: number, by = first, bankReference = newBankReference()) =>
  outcome((tx) => markPayoutSent(tx, { id, bankReference, at, by }));

describe("four-eyes approval", () => {
  test("up to the limit one person settles; above it the sender differs from the approver", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 1_000 });
    expect(await send((await approved(1_000)).id)).toBe("ok");
    const { id, reference } = await approved(1_001);
    expect(await send(id)).toBe("FOUR_EYES_REQUIRED");
    expect(await heldBy(reference)).toBe(1_001);
    expect(await send(id, second)).toBe("ok");
  });

  test("uses a limit set after the approval, and not one removed after it", async () => {
    const before = await approved(5_000);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 1_000 });
    expect(await send(before.id)).toBe("FOUR_EYES_REQUIRED");
    const marked = await approved(5_000);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined });
    expect(await send(marked.id)).toBe("FOUR_EYES_REQUIRED");
    expect(await send(before.id)).toBe("ok");
  });

  test("a record sent under a limit newer than its approval shows that it needed two", async () => {
    const { id } = await approved(5_000);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 1_000 });
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: first.userId, at, by: second }))).toBe(
      "ok",
    );
    expect(await send(id, second)).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ fourEyes: true, sentBy: second.userId });
    const few = await approved(1_000);
    expect(await send(few.id)).toBe("ok");
    expect((await findPayout(db(), few.id))?.fourEyes).toBe(false);
  });

  test("a sender related to the approver is not a second person", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 1_000 });
    const related = { userId: 903, relatedAdminIds: [903, 901], keepsRight: async () => true };
    const much = await approved(1_001);
    expect(await send(much.id, related)).toBe("FOUR_EYES_RELATED");
    expect(await send((await approved(1_000)).id, related)).toBe("PAYOUT_CLAIMED");
    await outcome((tx) => markPayoutUnknown(tx, { id: much.id, reason: "silent", at, by: first }));
    const found = { id: much.id, outcome: "sent", bankReference: newBankReference(), at } as const;
    expect(await outcome((tx) => resolveUnknownPayout(tx, { ...found, by: related }))).toBe(
      "FOUR_EYES_RELATED",
    );
    expect(await outcome((tx) => resolveUnknownPayout(tx, { ...found, by: second }))).toBe("ok");
  });

  test("finding that money in doubt was sent needs the second person too", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 1_000 });
    const { id } = await approved(5_000);
    await outcome((tx) => markPayoutUnknown(tx, { id, reason: "silent", at, by: first }));
    const found = (by: typeof first) =>
      outcome((tx) => resolveUnknownPayout(tx, { id, outcome: "sent", bankReference: "FOUND-1", at, by }));
    expect(await found(first)).toBe("FOUR_EYES_REQUIRED");
    expect(await found(second)).toBe("ok");
  });
});

describe("halted money", () => {
  test("is neither approved nor sent, but repeated requests still get their earlier result", async () => {
    const sent = await approved(100);
    await send(sent.id, first, "HALT-1");
    const waiting = await approved(100);
    const fresh = await due(await holding(100), "payout", 100);
    expect(await haltMoney({ on: true, reason: "bank breach", at, by: first })).toEqual({
      ok: true,
      changed: true,
    });
    expect(await haltMoney({ on: true, reason: "again", at, by: first })).toEqual({
      ok: true,
      changed: false,
    });
    expect(await isMoneyHalted(db())).toBe(true);
    expect(await outcome((tx) => approvePayoutRecord(tx, { id: fresh.id, at, by: first }))).toBe(
      "MONEY_HALTED",
    );
    expect(await send(waiting.id)).toBe("MONEY_HALTED");
    expect(await send(sent.id, first, "HALT-1")).toBe("repeated");
    expect(await outcome((tx) => approvePayoutRecord(tx, { id: waiting.id, at, by: first }))).toBe(
      "repeated",
    );
    await haltMoney({ on: false, reason: "all clear", at, by: second });
    expect(await isMoneyHalted(db())).toBe(false);
    expect(await send(waiting.id)).toBe("ok");
    const actions = await db().execute<{ action: string }>(
      sql`SELECT action FROM audit.entries WHERE subject_kind = 'money' ORDER BY id`,
    );
    expect(actions.map((row) => row.action).slice(-2)).toEqual(["money.halted", "money.resumed"]);
  });

  test("waits for a running step, so that none follows it", async () => {
    const { id, reference } = await approved(100);
    const marked = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const sending = runInTransaction(async (tx) => {
      await markPayoutSent(tx, { id, bankReference: newBankReference(), at, by: first });
      marked.resolve();
      await commit.promise;
    });
    await marked.promise;
    let stopped = false;
    const halting = haltMoney({ on: true, reason: "now", at, by: first }).then(() => {
      stopped = true;
    });
    await Bun.sleep(100);
    expect(stopped).toBe(false);
    commit.resolve();
    await sending;
    await halting;
    expect(await heldBy(reference)).toBe(0);
  });
});

describe("in parallel", () => {
  test("fifty sendings of one record post one journal", async () => {
    const { id, reference } = await approved(100);
    const bankReference = newBankReference();
    const done = await Promise.all(Array.from({ length: 50 }, () => send(id, first, bankReference)));
    expect(done.filter((answer) => answer === "ok")).toHaveLength(1);
    expect(done.filter((answer) => answer === "repeated")).toHaveLength(49);
    expect(await ledgerLinesOf(reference)).toHaveLength(4);
    expect(await audited("payout", id)).toEqual(["payout.due", "payout.approved", "payout.sent"]);
  });

  test("fifty different bank references for one record: one is sent, the others conflict", async () => {
    const { id } = await approved(100);
    const done = await Promise.all(Array.from({ length: 50 }, () => send(id)));
    expect(done.filter((answer) => answer === "ok")).toHaveLength(1);
    expect(done.filter((answer) => answer === "PAYOUT_CONFLICT")).toHaveLength(49);
  });

  test("a bank reference that becomes longer in capitals still fits", async () => {
    const { id } = await approved(100);
    expect(await send(id, first, "ﬃ".repeat(64))).toBe("ok");
  });

  test("one bank reference for twenty records: one is sent", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => approved(100)));
    const bankReference = newBankReference();
    const done = await Promise.all(made.map(({ id }) => send(id, first, bankReference)));
    expect(done.filter((answer) => answer === "ok")).toHaveLength(1);
    expect(done.filter((answer) => answer === "BANK_REFERENCE_USED")).toHaveLength(19);
  });
});

test("a log entry has only an account's last four digits", async () => {
  const { id } = await approved(100);
  const rows = await db().execute<{ data: unknown }>(
    sql`SELECT data FROM audit.entries WHERE subject_kind = 'payout' AND subject_id = ${String(id)}`,
  );
  const number = (await findPayout(db(), id))?.destination?.accountNumber ?? "";
  const log = JSON.stringify(rows);
  expect(log).not.toContain(number);
  expect(log).toContain(number.slice(-4));
});

test("finally the ledger balances", expectProven);
