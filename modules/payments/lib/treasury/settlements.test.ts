import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { at, expectProven, first, later, outcome, refusedBy, second } from "../ledger/money.fixture.ts";
import type { PayoutActor } from "../payouts/payouts.ts";
import { listDiscardedSettlements, settlementsRecorded, settlementsWaiting } from "./settlement-list.ts";
import { discardSettlement, lockSettlement, proposeSettlement, recordSettlement } from "./settlements.ts";

useDatabase();

let round = 0;
beforeEach(() => {
  round++;
});
/** A bank reference that no other test uses, even if the test is repeated. */
const own = (name: string) => `${name}-${round}`;

const enter = (name: string, received: number, cost: number, by: PayoutActor = first) =>
  runInTransaction(async (tx) => {
    const bankReference = own(name);
    const replaces = await lockSettlement(tx, bankReference);
    await proposeSettlement(tx, { bankReference, received, cost, replaces, at, by });
  });

const record = (name: string, by: PayoutActor = second) =>
  outcome(async (tx) => {
    const settlement = await lockSettlement(tx, own(name));
    if (settlement === undefined) throw new Error(`${name} was not entered`);
    return recordSettlement(tx, { settlement, at: later(1), by });
  });

const entered = async (name: string) => {
  const found = await runInTransaction((tx) => lockSettlement(tx, own(name)));
  if (found === undefined) throw new Error(`${name} was not entered`);
  return found;
};

async function linesOf(name: string): Promise<string[]> {
  const rows = await db().execute<{ line: string }>(sql`
    SELECT e.account || ' ' || e.amount AS line FROM payments.entries e JOIN payments.journals j ON j.id = e.journal_id
    WHERE j.event = ${`settlement:${own(name)}`} ORDER BY e.account`);
  return rows.map(({ line }) => line);
}

/** The audit entries of a subject: each action, by whom, and its data. */
async function logged(kind: string, id: number): Promise<unknown[]> {
  const rows = await db().execute<{ action: string; actor: string; data: unknown }>(sql`
    SELECT action, user_id AS actor, data FROM audit.entries
    WHERE subject_kind = ${kind} AND subject_id = ${String(id)} ORDER BY id`);
  return rows.map(({ action, actor, data }) => [action, Number(actor), data]);
}

describe("a settlement", () => {
  test("moves nothing while it waits, and once confirmed moves the provider's money to the bank, less costs", async () => {
    await enter(" set-1", 990, 10);
    expect(await linesOf("SET-1")).toEqual([]);
    expect(await record("SET-1")).toBe("ok");
    expect(await record("set-1")).toBe("repeated");
    expect(await linesOf("SET-1")).toEqual(["bank 990", "expense:qpay 10", "provider:qpay -1000"]);
    const { id, journalId, proposedBy, confirmedBy, confirmedAt } = await entered("SET-1");
    expect({ proposedBy, confirmedBy, confirmedAt }).toEqual({
      ...{ proposedBy: first.userId, confirmedBy: second.userId, confirmedAt: later(1) },
    });
    expect(await logged("settlement", id)).toEqual([
      ["settlement.proposed", first.userId, { before: null, after: id }],
    ]);
    const figures = { bankReference: own("SET-1"), received: 990, cost: 10 };
    const people = { proposedBy: first.userId, confirmedBy: second.userId };
    expect(await logged("journal", Number(journalId))).toEqual([
      ["settlement.recorded", second.userId, { settlement: id, ...figures, ...people }],
    ]);
  });

  test("without costs has two lines, and one of zero is refused", async () => {
    await enter("SET-2", 500, 0);
    expect(await record("SET-2")).toBe("ok");
    expect(await linesOf("SET-2")).toEqual(["bank 500", "provider:qpay -500"]);
    await expect(enter("SET-3", 0, 0)).rejects.toThrow();
    await expect(enter("SET-3", 10, -1)).rejects.toThrow();
  });

  test("is not confirmed by its author or by a related administrator", async () => {
    await enter("SET-4", 100, 1);
    expect(await record("SET-4", first)).toBe("FOUR_EYES_REQUIRED");
    expect(await record("SET-4", { ...second, relatedAdminIds: [902, 901] })).toBe("FOUR_EYES_RELATED");
    expect(await linesOf("SET-4")).toEqual([]);
    expect(await record("SET-4")).toBe("ok");
  });

  test("is posted once by twenty who confirm it at once", async () => {
    await enter("SET-5", 100, 1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => record("SET-5")));
    expect(answers.filter((answer) => answer === "ok")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "repeated")).toHaveLength(19);
  });

  test("is corrected by a new entry, which replaces it", async () => {
    await enter("SET-6", 100, 1);
    const wrong = await entered("SET-6");
    await enter("SET-6", 200, 2);
    const right = await entered("SET-6");
    expect(right).toMatchObject({ received: 200, cost: 2 });
    const rows = await db().execute(
      sql`SELECT data FROM audit.entries WHERE action = 'settlement.proposed' AND subject_id = ${String(right.id)}`,
    );
    expect([...rows]).toEqual([{ data: { before: wrong.id, after: right.id } }]);
    expect(await record("SET-6")).toBe("ok");
    expect(await linesOf("SET-6")).toContain("bank 200");
  });
});

describe("a discarded entry", () => {
  const aside = (id: number, reason = "Another bank's statement") =>
    runInTransaction((tx) => discardSettlement(tx, { id, reason, at: later(2), by: second }));

  test("no longer waits, keeps its first reason, and frees its bank reference", async () => {
    await enter("ASIDE-1", 100, 0);
    const { id } = await entered("ASIDE-1");
    expect((await settlementsWaiting(db(), 100)).map((one) => one.id)).toContain(id);
    expect(await aside(id)).toEqual({ ok: true, changed: true });
    expect(await aside(id, "Something else")).toEqual({ ok: true, changed: false });
    expect((await settlementsWaiting(db(), 100)).map((one) => one.id)).not.toContain(id);
    expect((await listDiscardedSettlements(db(), 5))[0]).toMatchObject({
      ...{ id, discardReason: "Another bank's statement", discardedBy: second.userId },
    });
    const change = { proposedBy: first.userId, before: "proposed", after: "laid_aside" };
    expect((await logged("settlement", id)).slice(1)).toEqual([
      ["settlement.laid_aside", second.userId, change],
    ]);
    await enter("ASIDE-1", 300, 0);
    expect((await entered("ASIDE-1")).id).not.toBe(id);
  });

  test("must exist, and be neither posted nor replaced", async () => {
    expect(await aside(999_999)).toEqual({ ok: false, code: "NOT_FOUND" });
    await enter("ASIDE-2", 100, 0);
    const replaced = await entered("ASIDE-2");
    await enter("ASIDE-2", 200, 0);
    expect(await aside(replaced.id)).toEqual({ ok: false, code: "PROPOSAL_CHANGED" });
    expect(await record("ASIDE-2")).toBe("ok");
    const posted = await entered("ASIDE-2");
    expect(await aside(posted.id)).toEqual({ ok: false, code: "PROPOSAL_CHANGED" });
    expect((await listDiscardedSettlements(db(), 20)).map(({ id }) => id)).not.toContain(replaced.id);
  });

  test("and a confirmed one at the same moment: only one happens", async () => {
    for (let race = 0; race < 10; race++) {
      const reference = `RACE-${race}`;
      await enter(reference, 100, 0);
      const { id } = await entered(reference);
      const [set, posted] = await Promise.all([
        aside(id),
        record(reference).catch((error: Error) => error.message),
      ]);
      expect([set.ok, posted === "ok"].filter(Boolean)).toHaveLength(1);
      expect(await linesOf(reference)).toHaveLength(posted === "ok" ? 2 : 0);
    }
  });
});

test("posted settlements are listed newest first, in parts", async () => {
  for (const name of ["LIST-1", "LIST-2", "LIST-3"]) {
    await enter(name, 100, 0);
    expect(await record(name)).toBe("ok");
  }
  const all = await settlementsRecorded(db(), { limit: 100 });
  const journals = all.map(({ journalId }) => Number(journalId));
  expect(journals).toEqual(journals.toSorted((a, b) => b - a));
  const [one, ...others] = await settlementsRecorded(db(), { limit: 2 });
  expect(others).toHaveLength(1);
  const rest = await settlementsRecorded(db(), { limit: 100, before: Number(others[0]?.journalId) });
  expect([one, ...others, ...rest]).toEqual(all);
  expect(await settlementsRecorded(db(), { limit: 0 })).toEqual(all.slice(0, 1));
});

test("waiting ones are listed the longest waiting first, up to a limit", async () => {
  await enter("WAIT-1", 100, 0);
  await enter("WAIT-2", 100, 0);
  const waiting = await settlementsWaiting(db(), 100);
  expect(waiting.map(({ bankReference }) => bankReference).slice(-2)).toEqual([own("WAIT-1"), own("WAIT-2")]);
  expect(await settlementsWaiting(db(), 1)).toEqual(waiting.slice(0, 1));
});

describe("the database", () => {
  const set = (what: string, name: string) =>
    refusedBy(sql`UPDATE payments.settlements SET ${sql.raw(what)} WHERE bank_reference = ${own(name)}`);

  test("keeps what was entered, and what was posted", async () => {
    await enter("POSTED", 990, 10);
    expect(await record("POSTED")).toBe("ok");
    for (const what of [
      "received = 991",
      "cost = 0",
      "proposed_by = 1",
      "confirmed_by = 7",
      "journal_id = NULL",
    ]) {
      expect(await set(what, "POSTED")).toBe("settlements_kept");
    }
    await enter("KEPT-1", 100, 0);
    expect(await set("received = 101", "KEPT-1")).toBe("settlements_kept");
    expect(await refusedBy(sql`DELETE FROM payments.settlements`)).toContain("keeps what was written");
  });

  test("accepts no settlement as posted without its own journal, nor by one person", async () => {
    await enter("POSTED", 990, 10);
    expect(await record("POSTED")).toBe("ok");
    await enter("KEPT-2", 100, 0);
    const { journalId } = await entered("POSTED");
    const confirmed = (by: number) => `confirmed_by = ${by}, confirmed_at = now(), journal_id = ${journalId}`;
    expect(await set(confirmed(902), "KEPT-2")).toBe("settlements_posted");
    expect(await set("confirmed_by = 902, confirmed_at = now()", "KEPT-2")).toBe("settlements_confirmed");
    await db().execute(sql`
      INSERT INTO payments.settlements (bank_reference, received, cost, proposed_by, proposed_at)
      VALUES (${own("SELF")}, 5, 0, 901, now())`);
    expect(
      await refusedBy(
        sql`WITH j AS (INSERT INTO payments.journals (event, kind, at) VALUES (${`settlement:${own("SELF")}`}, 'settlement', now()) RETURNING id)
          INSERT INTO payments.entries SELECT id, account, amount FROM j, (VALUES ('bank', 5), ('provider:qpay', -5)) AS l (account, amount)`,
        sql`UPDATE payments.settlements SET confirmed_by = 901, confirmed_at = now(),
          journal_id = (SELECT id FROM payments.journals WHERE event = ${`settlement:${own("SELF")}`})
          WHERE bank_reference = ${own("SELF")}`,
      ),
    ).toBe("settlements_four_eyes");
  });
});

test("finally the ledger balances", expectProven);
