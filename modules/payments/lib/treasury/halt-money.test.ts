import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { RecordAltered, verifyChain } from "#modules/audit";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { at, first, later, second } from "../ledger/money.fixture.ts";
import type { PayoutActor } from "../payouts/payouts.ts";
import {
  haltAfterRestore,
  haltMoney,
  isMoneyHalted,
  isOutgoingStopped,
  readHaltState,
  resumeMoney,
} from "./halt-money.ts";

useDatabase();
afterEach(async () => {
  await haltMoney({ on: false, reason: "test over", at, by: first });
});

const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
const logged = async () => {
  const rows = await db().execute(sql`
    SELECT action, subject_id AS subject, user_id::int AS actor, data FROM audit.entries
    WHERE subject_kind = 'money' ORDER BY id`);
  return [...rows];
};

test("the switch shows whether money is stopped, since when, by whom and why; turning it twice is turning it once", async () => {
  const before = await logged();
  const turned = { ok: true, changed: true } as const;
  const stays = { ok: true, changed: false } as const;
  expect(await haltMoney({ on: true, reason: "bank breach", at: later(1), by: first })).toEqual(turned);
  expect(await haltMoney({ on: true, reason: "again", at: later(2), by: second })).toEqual(stays);
  expect(await readHaltState(db())).toEqual({
    ...{ halted: true, reason: "bank breach", changedBy: first.userId, changedAt: later(1), resume: null },
  });
  expect([await isMoneyHalted(db()), await runInTransaction(isOutgoingStopped)]).toEqual([true, true]);
  expect(await haltMoney({ on: false, reason: "all clear", at: later(3), by: second })).toEqual(turned);
  expect(await haltMoney({ on: false, reason: "again", at: later(4), by: first })).toEqual(stays);
  expect(await readHaltState(db())).toEqual({
    ...{ halted: false, reason: "all clear", changedBy: second.userId, changedAt: later(3), resume: null },
  });
  expect([await isMoneyHalted(db()), await runInTransaction(isOutgoingStopped)]).toEqual([false, false]);
  expect((await logged()).slice(before.length)).toEqual([
    {
      ...{ action: "money.halted", subject: "halt", actor: first.userId },
      data: { before: false, after: true, digest },
    },
    {
      ...{ action: "money.resumed", subject: "halt", actor: second.userId },
      data: { before: true, after: false, digest },
    },
  ]);
});

test("a restore halts, and says so above the existing reason", async () => {
  const before = await logged();
  const restored = (reason: string, when: Date) =>
    runInTransaction((tx) => haltAfterRestore(tx, { reason, at: when }));
  await restored("restored once", later(1));
  const once = { halted: true, reason: "restored once", changedBy: null, changedAt: later(1), resume: null };
  expect(await readHaltState(db())).toEqual(once);
  await restored("restored again", later(2));
  const again = { ...once, reason: "restored again\nrestored once", changedAt: later(2) };
  expect(await readHaltState(db())).toEqual(again);
  await haltMoney({ on: false, reason: "all clear", at: later(3), by: first });
  await restored("restored later", later(4));
  expect((await readHaltState(db())).reason).toBe("restored later");
  const halted = { action: "money.halted", subject: "halt", actor: null };
  const [one, two, , three] = (await logged()).slice(before.length);
  expect([one, two, three]).toEqual([
    { ...halted, data: { before: false, after: true, restored: true, digest } },
    { ...halted, data: { before: true, after: true, restored: true, digest } },
    { ...halted, data: { before: false, after: true, restored: true, digest } },
  ]);
});

test("without its row the switch counts as on", async () => {
  class Undo extends Error {}
  const without = ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`ALTER TABLE payments.halt DISABLE TRIGGER USER`);
    await tx.execute(sql`DELETE FROM payments.halt`);
    const nothing = { reason: null, changedBy: null, changedAt: null, resume: null };
    expect(await readHaltState(tx)).toEqual({ halted: true, ...nothing });
    expect([await isMoneyHalted(tx), await isOutgoingStopped(tx)]).toEqual([true, true]);
    await haltAfterRestore(tx, { reason: "restored", at });
    expect((await readHaltState(tx)).reason).toBe("restored");
    throw new Undo();
  });
  await expect(without).rejects.toBeInstanceOf(Undo);
});

describe("resuming", () => {
  const resume = (by: PayoutActor, { reason = "all clear", alone = false, minutes = 2 } = {}) =>
    resumeMoney({ reason, alone: async () => alone, at: later(minutes), person: async () => by });
  const halt = () => haltMoney({ on: true, reason: "bank breach", at: later(1), by: first });
  const settle = () => haltMoney({ on: false, reason: "test over", at: later(9), by: first });

  test("needs two: one proposes, another confirms, and the log names both", async () => {
    await halt();
    expect(await resume(first)).toEqual({ ok: true, changed: true, halted: true });
    expect(await resume(first)).toEqual({ ok: true, changed: false, halted: true });
    const proposed = { by: first.userId, at: later(2), reason: "all clear" };
    expectMatch(await readHaltState(db()), { halted: true, resume: proposed });
    const related = { ...second, relatedAdminIds: [second.userId, first.userId] };
    expect(await resume(related)).toEqual({ ok: false, code: "FOUR_EYES_RELATED" });
    expect(await isMoneyHalted(db())).toBe(true);
    expect(await resume(second, { reason: "the bank answered", minutes: 3 })).toMatchObject({
      halted: false,
    });
    expect(await readHaltState(db())).toMatchObject({
      ...{ halted: false, reason: "the bank answered", changedBy: second.userId, resume: null },
    });
    expect((await logged()).slice(-2)).toMatchObject([
      { action: "money.resume_proposed", actor: first.userId },
      { action: "money.resumed", actor: second.userId, data: { proposedBy: first.userId } },
    ]);
    expect(await resume(first)).toEqual({ ok: true, changed: false, halted: false });
  });

  test("needs one person if there is no other administrator", async () => {
    await halt();
    expect(await resume(first, { alone: true })).toEqual({ ok: true, changed: true, halted: false });
  });

  test("is blocked if the proposal's author lost the right, or money was halted again", async () => {
    await halt();
    await resume(first);
    const dismissed = { ...second, keepsRight: async (id: number) => id !== first.userId };
    expect(await resume(dismissed)).toMatchObject({ changed: true, halted: true });
    expect(await readHaltState(db())).toMatchObject({ resume: { by: second.userId } });
    const again = { on: true, reason: "not yet", at: later(4), by: first };
    expect(await haltMoney(again)).toEqual({ ok: true, changed: true });
    expect(await readHaltState(db())).toMatchObject({ halted: true, reason: "bank breach", resume: null });
    expect(await resume(second, { minutes: 5 })).toMatchObject({ halted: true });
    await settle();
    await halt();
    expect(await readHaltState(db())).toMatchObject({ halted: true, resume: null });
    await settle();
  });
});

describe("a switch that was altered outside the log", () => {
  const halt = (minutes: number) =>
    haltMoney({ on: true, reason: "bank breach", at: later(minutes), by: first });
  const resume = (by: PayoutActor, minutes: number, alone = false) =>
    resumeMoney({
      reason: "all clear",
      alone: async () => alone,
      at: later(minutes),
      person: async () => by,
    });
  const forge = (change: string) => db().execute(sql.raw(`UPDATE payments.halt SET ${change}`));
  const refusals = async (minutes: number) => [
    await resume(second, minutes).catch((error) => error.name),
    await haltMoney({ on: false, reason: "go on", at: later(minutes), by: { userId: null } }).catch(
      (error) => error.name,
    ),
    await runInTransaction(isOutgoingStopped).catch((error) => error.name),
  ];
  const refused = Array(3).fill("RecordAltered");

  test("by a proposal in another's name cannot be resumed; halting discards it and keeps the start", async () => {
    await halt(1);
    await forge(`resume_by = ${first.userId}, resume_at = now(), resume_reason = 'x'`);
    expect(await refusals(2)).toEqual(refused);
    expect(await haltMoney({ on: true, reason: "forged", at: later(3), by: second })).toEqual({
      ok: true,
      changed: true,
    });
    const stands = {
      halted: true,
      reason: "forged",
      changedBy: second.userId,
      changedAt: later(1),
      resume: null,
    };
    expectMatch(await readHaltState(db()), stands);
    expect((await logged()).at(-1)).toMatchObject({
      ...{ action: "money.resume_dropped", actor: second.userId },
      data: { proposedBy: first.userId, altered: true },
    });
    expect(await verifyChain()).toMatchObject({ ok: true });
    expect(await resume(second, 4)).toMatchObject({ halted: true });
    expect(await resume(first, 5)).toMatchObject({ halted: false });
  });

  test("in its text or author is reported and cannot be resumed", async () => {
    await halt(1);
    for (const [minutes, change] of [
      [2, "reason = 'a drill: resume at once'"],
      [4, `changed_by = ${first.userId}`],
    ] as const) {
      await forge(change);
      expect(await verifyChain()).toMatchObject({
        ok: false,
        reason: "the halt of outgoing money was altered",
      });
      expect(await refusals(minutes)).toEqual(refused);
      await haltMoney({ on: true, reason: "bank breach", at: later(minutes + 1), by: second });
      expect(await readHaltState(db())).toMatchObject({ reason: "bank breach", changedBy: second.userId });
    }
    await resume(first, 6);
    await forge("resume_reason = 'the bank said so'");
    expect(await resume(second, 7).catch((error) => error.name)).toBe("RecordAltered");
    await halt(8);
    expect(await verifyChain()).toMatchObject({ ok: true });
  });

  test("by the erasure of its text, years later, works as before", async () => {
    await halt(1);
    await forge("reason = NULL, resume_reason = NULL");
    expect(await verifyChain()).toMatchObject({ ok: true });
    expect(await runInTransaction(isOutgoingStopped)).toBe(true);
    await forge("changed_at = now()");
    expect(await verifyChain()).toMatchObject({ ok: false });
    await halt(2);
  });

  test("in its time, by which its only administrator would decide alone, returns to the log's", async () => {
    await halt(1);
    await forge("changed_at = now()");
    await expect(resume(second, 2, true)).rejects.toThrow(RecordAltered);
    expect(await halt(3)).toMatchObject({ changed: true });
    expectMatch(await readHaltState(db()), { halted: true, changedAt: later(1) });
  });

  test("so that money would move or stop stops every step until it is halted again", async () => {
    await halt(1);
    await forge("halted = false");
    expect(await refusals(2)).toEqual(refused);
    await halt(3);
    expectMatch(await readHaltState(db()), {
      halted: true,
      reason: "bank breach",
      changedAt: later(1),
    });
    await haltMoney({ on: false, reason: "over", at: later(4), by: first });
    await forge("halted = true");
    expect(await refusals(5)).toEqual(refused);
    expect(await halt(6)).toEqual({ ok: true, changed: true });
    expectMatch(await readHaltState(db()), { halted: true, changedAt: later(6) });
    expect((await logged()).at(-1)).toMatchObject({
      ...{ action: "money.halted", data: { before: true, after: true, altered: true } },
    });
    expect(await verifyChain()).toMatchObject({ ok: true });
  });
});
