import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { haltAfterRestore, haltMoney, haltState, moneyHalted, outgoingStopped } from "./halt.ts";
import { at, first, later, second } from "./money.fixture.ts";

useDatabase();
afterEach(async () => {
  await haltMoney({ on: false, reason: "test over", at, by: first });
});

const logged = async () => {
  const rows = await db().execute(sql`
    SELECT action, subject_id AS subject, user_id::int AS actor, data FROM audit.entries
    WHERE subject_kind = 'money' ORDER BY id`);
  return [...rows];
};

test("the switch says whether money is stopped, since when, by whom and why; turning it twice is turning it once", async () => {
  const before = await logged();
  const turned = { ok: true, changed: true } as const;
  const stays = { ok: true, changed: false } as const;
  expect(await haltMoney({ on: true, reason: "bank breach", at: later(1), by: first })).toEqual(turned);
  expect(await haltMoney({ on: true, reason: "again", at: later(2), by: second })).toEqual(stays);
  expect(await haltState(db())).toEqual({
    ...{ halted: true, reason: "bank breach", changedBy: first.userId, changedAt: later(1) },
  });
  expect([await moneyHalted(db()), await transaction(outgoingStopped)]).toEqual([true, true]);
  expect(await haltMoney({ on: false, reason: "all clear", at: later(3), by: second })).toEqual(turned);
  expect(await haltMoney({ on: false, reason: "again", at: later(4), by: first })).toEqual(stays);
  expect(await haltState(db())).toEqual({
    ...{ halted: false, reason: "all clear", changedBy: second.userId, changedAt: later(3) },
  });
  expect([await moneyHalted(db()), await transaction(outgoingStopped)]).toEqual([false, false]);
  expect((await logged()).slice(before.length)).toEqual([
    { action: "money.halted", subject: "halt", actor: first.userId, data: { before: false, after: true } },
    { action: "money.resumed", subject: "halt", actor: second.userId, data: { before: true, after: false } },
  ]);
});

test("a restore halts, and says so above the reason that stood already", async () => {
  const before = await logged();
  const restored = (reason: string, when: Date) =>
    transaction((tx) => haltAfterRestore(tx, { reason, at: when }));
  await restored("restored once", later(1));
  const once = { halted: true, reason: "restored once", changedBy: null, changedAt: later(1) };
  expect(await haltState(db())).toEqual(once);
  await restored("restored again", later(2));
  const again = { ...once, reason: "restored again\nrestored once", changedAt: later(2) };
  expect(await haltState(db())).toEqual(again);
  await haltMoney({ on: false, reason: "all clear", at: later(3), by: first });
  await restored("restored later", later(4));
  expect((await haltState(db())).reason).toBe("restored later");
  const halted = { action: "money.halted", subject: "halt", actor: null };
  const [one, two, , three] = (await logged()).slice(before.length);
  expect([one, two, three]).toEqual([
    { ...halted, data: { before: false, after: true, restored: true } },
    { ...halted, data: { before: true, after: true, restored: true } },
    { ...halted, data: { before: false, after: true, restored: true } },
  ]);
});

test("without its row the switch counts as turned", async () => {
  class Undo extends Error {}
  const without = db().transaction(async (tx) => {
    await tx.execute(sql`ALTER TABLE payments.halt DISABLE TRIGGER USER`);
    await tx.execute(sql`DELETE FROM payments.halt`);
    expect(await haltState(tx)).toEqual({ halted: true, reason: null, changedBy: null, changedAt: null });
    expect([await moneyHalted(tx), await outgoingStopped(tx)]).toEqual([true, true]);
    await haltAfterRestore(tx, { reason: "restored", at });
    expect((await haltState(tx)).reason).toBe("restored");
    throw new Undo();
  });
  await expect(without).rejects.toBeInstanceOf(Undo);
});
