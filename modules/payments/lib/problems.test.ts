import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { at, first, later, second } from "./money.fixture.ts";
import { providerProblem, providerProblemsOf, resolveProviderProblem, someOpen } from "./problems.ts";
import { newReference, reserve } from "./provider.fixture.ts";
import { providerProblems } from "./schema.provider.ts";
import type { AskProblem } from "./types.ts";

useDatabase();

let payments = 0;

/** A trade with an invoice, and what is told of its payments, each seen a minute after the one before. */
async function seen(...codes: Array<AskProblem["code"]>) {
  const reference = newReference();
  const { invoiceId } = await reserve(reference, 10_000);
  const problems = codes.map((code) => {
    return { code, invoiceId, providerPaymentId: `odd-${++payments}`, row: { n: payments } };
  });
  // Written the other way round: the order is of when they were seen.
  const rows = problems.map((problem, i) => ({ ...problem, seenAt: later(i) })).reverse();
  const written = await db().insert(providerProblems).values(rows).returning({ id: providerProblems.id });
  return { reference, problems, ids: written.map(({ id }) => id).reverse() };
}

test("what waits is told whole, the oldest first, of one trade or of all", async () => {
  const { reference, problems, ids } = await seen("ODD_ROW", "WRONG_CURRENCY");
  await seen("ODD_ROW");
  const expected = problems.map((problem, i) => ({ ...problem, id: ids[i], reference, seenAt: later(i) }));
  expect(await providerProblemsOf(db(), reference)).toEqual(expected as never);
  const all = await providerProblemsOf(db());
  expect(all.filter((one) => one.reference === reference)).toEqual(expected as never);
  const times = all.map(({ seenAt }) => seenAt.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(all.map((one) => one.reference)).size).toBeGreaterThan(1);
  expect(await providerProblemsOf(db(), newReference())).toEqual([]);
});

test("of several, one that waits is enough, and it waits by its payment and its code", async () => {
  const { problems, ids } = await seen("ODD_ROW", "WRONG_CURRENCY");
  const [odd, currency] = problems as [AskProblem, AskProblem];
  const other = { ...odd, providerPaymentId: "another" };
  const open = (...of: AskProblem[]) => someOpen(db(), of);
  expect([await open(odd), await open(currency), await open(other, odd)]).toEqual([true, true, true]);
  const crossed = [
    { ...odd, code: currency.code },
    { ...currency, code: odd.code },
  ];
  expect([await open(other), await open(...crossed), await open()]).toEqual([false, false, false]);
  const done = { id: ids[0] ?? 0, by: first, note: "looked at", at };
  await transaction((tx) => resolveProviderProblem(tx, done));
  expect([await open(odd), await open(odd, currency)]).toEqual([false, true]);
});

test("the first word about a problem stands, and is logged once; the problem is still found", async () => {
  const { reference, problems, ids } = await seen("ODD_ROW");
  const id = ids[0] ?? 0;
  const resolve = (note: string, by: typeof first, minutes: number) =>
    transaction((tx) => resolveProviderProblem(tx, { id, by, note, at: later(minutes) }));
  expect(await resolve("sent back", first, 5)).toEqual({ ok: true });
  expect(await resolve("kept", second, 6)).toEqual({ ok: true });
  const [row] = await db()
    .select({
      at: providerProblems.resolvedAt,
      by: providerProblems.resolvedBy,
      note: providerProblems.note,
    })
    .from(providerProblems)
    .where(sql`id = ${id}`);
  expect(row).toEqual({ at: later(5), by: first.userId, note: "sent back" });
  const logged = await db().execute(sql`
    SELECT action, user_id::int AS actor, data FROM audit.entries
    WHERE subject_kind = 'invoice' AND subject_id = ${problems[0]?.invoiceId ?? ""} ORDER BY id`);
  expect([...logged].slice(1)).toEqual([
    { action: "payment.problem_resolved", actor: first.userId, data: { problem: id } },
  ]);
  expect(await providerProblem(db(), id)).toEqual({ id, reference });
  expect(await providerProblem(db(), 999_999)).toBeNull();
});
