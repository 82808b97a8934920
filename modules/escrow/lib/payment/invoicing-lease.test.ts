import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { listInvoices } from "#modules/payments";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import {
  createRequestedTrade,
  type PlantedTrade,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { adminCancel, adminComplete } from "../backoffice/transactions/administrator-commands.ts";
import { withInvoicingLease } from "./invoicing-lease.ts";
import { issueInvoice } from "./issue-invoice.ts";

useDatabase();
useSandboxProvider();

/** Counts every attempt to take a lease, also one that finds it taken. */
beforeAll(async () => {
  await ownerDatabase().execute(
    sql`CREATE SEQUENCE public.tries; GRANT ALL ON SEQUENCE public.tries TO PUBLIC`,
  );
  await ownerDatabase().execute(sql`
    CREATE FUNCTION public.note_try() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval('public.tries'); RETURN NEW; END $$`);
  await ownerDatabase().execute(sql`
    CREATE TRIGGER note_try BEFORE INSERT ON escrow.invoicing FOR EACH ROW EXECUTE FUNCTION public.note_try()`);
});

async function tries(): Promise<number> {
  const [row] = await db().execute<{ n: string }>(sql`SELECT nextval('public.tries') AS n`);
  return Number(row?.n);
}

/** The current lease of a trade. */
async function lease(deal: PlantedTrade): Promise<{ token: string; until: string } | undefined> {
  const [row] = await db().execute<{ token: string; until: string }>(
    sql`SELECT token, until::text FROM escrow.invoicing WHERE trade_id = ${deal.id}`,
  );
  return row;
}

/** Gives a trade's lease to another instance; returns a function that releases it. */
async function elsewhere(deal: PlantedTrade): Promise<() => Promise<unknown>> {
  await db().execute(sql`
    INSERT INTO escrow.invoicing (trade_id, token, until)
    VALUES (${deal.id}, gen_random_uuid(), clock_timestamp() + interval '1 minute')`);
  return () => ownerDatabase().execute(sql`DELETE FROM escrow.invoicing WHERE trade_id = ${deal.id}`);
}

test("of a hundred requests at once few wait, with few database queries, and all get the same invoice", async () => {
  const deal = await createRequestedTrade();
  const giveBack = await elsewhere(deal);
  // A clock that stands: the limit gives a press back every two seconds, and a busy machine takes longer than that for a hundred.
  const sent = new Date();
  const restoreClock = setClock(() => sent);
  const answers: Array<Awaited<ReturnType<typeof issueInvoice>>> = [];
  const all = Array.from({ length: 100 }, async () => {
    const answer = await issueInvoice(deal.buyer, deal.id);
    answers.push(answer);
  });
  for (const end = Date.now() + 15_000; Date.now() < end && answers.length < 84; ) await Bun.sleep(20);
  restoreClock();
  const before = await tries();
  await Bun.sleep(2_000);
  expect((await tries()) - before).toBeLessThan(14);
  const codes = answers.map((answer) => (answer.ok ? "ok" : answer.code));
  expect(codes.filter((code) => code === "THROTTLED")).toHaveLength(70);
  expect(codes.filter((code) => code === "INVOICING_BUSY")).toHaveLength(14);
  expect(codes).toHaveLength(84);
  await giveBack();
  await Promise.all(all);
  const given = answers.slice(84).map((answer) => answer.ok && answer.invoice.id);
  expect(given).toHaveLength(16);
  expect(new Set(given)).toEqual(new Set((await listInvoices(db(), deal.id)).map(({ id }) => id)));
});

test("callers for another trade do not wait", async () => {
  const [busy, free] = [await createRequestedTrade(), await createRequestedTrade()];
  const giveBack = await elsewhere(busy);
  const waiting = issueInvoice(busy.buyer, busy.id);
  expect(await issueInvoice(free.buyer, free.id)).toMatchObject({ ok: true });
  await giveBack();
  expect(await waiting).toMatchObject({ ok: true });
});

test("callers run one at a time in the order of arrival, even if one fails", async () => {
  const deal = await createRequestedTrade();
  const course: string[] = [];
  const work = (name: string) =>
    withInvoicingLease(deal.id, async () => {
      course.push(`${name} begins`);
      await Bun.sleep(20);
      course.push(`${name} ends`);
      if (name === "b") throw new Error("b failed");
      return name;
    });
  const came = await Promise.allSettled([work("a"), work("b"), work("c")]);
  expectMatch(came, [{ value: "a" }, { reason: new Error("b failed") }, { value: "c" }]);
  expect(course).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test("callers one after the other do not count as a crowd", async () => {
  const deal = await createRequestedTrade();
  for (let n = 0; n < 40; n++) expect(await withInvoicingLease(deal.id, async () => n)).toBe(n);
});

test("a caller in the queue looks at the lease when its turn comes", async () => {
  const deal = await createRequestedTrade();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const a = withInvoicingLease(deal.id, () => first.promise);
  const begun = Promise.withResolvers<void>();
  const b = withInvoicingLease(deal.id, () => {
    begun.resolve();
    return second.promise;
  });
  first.resolve();
  await a;
  await begun.promise;
  const before = await tries();
  const c = withInvoicingLease(deal.id, async () => "c");
  await Bun.sleep(300);
  expect((await tries()) - before).toBe(1); // `tries()` counts itself
  second.resolve();
  await b;
  expect(await c).toBe("c");
});

test("a turn waits for twenty seconds, looking ever more rarely; a long run keeps its lease, a finished one releases it", async () => {
  const [busy, long, endless] = [
    await createRequestedTrade(),
    await createRequestedTrade(),
    await createRequestedTrade(),
  ];
  const giveBack = await elsewhere(busy);
  const before = await tries();
  const came = performance.now();
  const waiting = [1, 2].map((n) => withInvoicingLease(busy.id, async () => n));
  const ending = [adminCancel(busy.admin, busy.id), adminComplete(busy.admin, busy.id)];
  const never = Promise.withResolvers<void>();
  const ahead = withInvoicingLease(endless.id, () => never.promise);
  const behind = withInvoicingLease(endless.id, async () => "too late");
  const work = Promise.withResolvers<void>();
  const working = withInvoicingLease(long.id, () => work.promise);
  await Bun.sleep(500);
  const taken = await lease(long);
  await Bun.sleep(5_000);
  const kept = await lease(long);
  expect(kept?.token).toBe(taken?.token ?? "none");
  expect((kept?.until ?? "") > (taken?.until ?? "")).toBe(true);
  work.resolve();
  await working;
  expect(await lease(long)).toBeUndefined();
  // A renewal that continued after its turn would overwrite this row.
  await db().execute(sql`
    INSERT INTO escrow.invoicing (trade_id, token, until) VALUES (${long.id}, ${kept?.token}, '2001-01-01')`);
  const refused = { ok: false, code: "INVOICING_BUSY" } as const;
  expect(await Promise.all([...waiting, behind])).toEqual([refused, refused, refused]);
  for (const ended of await Promise.all(ending)) expect(ended).toMatchObject(refused);
  const seconds = (performance.now() - came) / 1_000;
  expect(seconds).toBeGreaterThan(19.9);
  expect(seconds).toBeLessThan(30);
  // At their rarest, attempts are half a second apart, plus or minus half of that.
  expect((await tries()) - before).toBeWithin(15, 90);
  expect((await lease(long))?.until).toStartWith("2001-01-01");
  never.resolve();
  await ahead;
  await giveBack();
});
