import { beforeAll, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { connectDatabase, db, runInTransaction } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import { ownerDatabase, useDatabase } from "../../tests/support/database/test-database.ts";

const database = useDatabase();
const things = pgTable("things", {
  id: bigint("id", { mode: "number" }),
  name: text("name"),
  at: timestamp("at", { withTimezone: true }),
});
const noon = new Date("2026-03-01T04:00:00Z");

beforeAll(async () => {
  await ownerDatabase().execute(
    sql`CREATE TABLE public.things (id bigint, name text, at timestamptz); GRANT ALL ON public.things TO PUBLIC`,
  );
  await db()
    .insert(things)
    .values([
      { id: 1, name: "one", at: noon },
      { id: 2, name: "two", at: null },
    ]);
});

const byId = prepareQuery<{ id: number }>()("thing_by_id", (exec, value) =>
  exec
    .select()
    .from(things)
    .where(eq(things.id, value("id"))),
);
const byTime = prepareQuery<{ at: Date }>()("thing_by_time", (exec, value) =>
  exec
    .select({ name: things.name })
    .from(things)
    .where(eq(things.at, value("at"))),
);

/** The texts of the prepared statements that connections of the pool keep. */
async function kept(table: string): Promise<string[]> {
  const rows = await db().execute<{ statement: string }>(
    sql`SELECT statement FROM pg_prepared_statements WHERE statement LIKE ${`%"${table}"%`}`,
  );
  return rows.map(({ statement }) => statement);
}

describe("a prepared query", () => {
  test("returns the rows for its values, with the columns' types", async () => {
    expect(await byId(db(), { id: 1 })).toEqual([{ id: 1, name: "one", at: noon }]);
    expect(await byId(db(), { id: 2 })).toEqual([{ id: 2, name: "two", at: null }]);
    expect(await byId(db(), { id: 3 })).toEqual([]);
    expect(await byTime(db(), { at: noon })).toEqual([{ name: "one" }]);
  });

  test("sees, within a transaction, its uncommitted writes, and others do not", async () => {
    await expect(
      runInTransaction(async (tx) => {
        await tx.insert(things).values({ id: 9, name: "nine", at: null });
        expect(await byId(tx, { id: 9 })).toEqual([{ id: 9, name: "nine", at: null }]);
        throw new Error("back");
      }),
    ).rejects.toThrow("back");
    expect(await byId(db(), { id: 9 })).toEqual([]);
  });

  test("still works after the pool was reopened", async () => {
    connectDatabase(database.url);
    expect(await byId(db(), { id: 1 })).toHaveLength(1);
  });

  test("still works after its table has changed", async () => {
    connectDatabase(database.url, 1);
    expect(await byId(db(), { id: 1 })).toHaveLength(1);
    expect(await byId(db(), { id: 1 })).toHaveLength(1);
    await ownerDatabase().execute(sql`ALTER TABLE public.things ADD COLUMN more text`);
    await ownerDatabase().execute(sql`ALTER TABLE public.things RENAME TO things_before`);
    await db().execute(sql`CREATE VIEW public.things AS SELECT id, name, at FROM public.things_before`);
    expect(await byId(db(), { id: 1 })).toEqual([{ id: 1, name: "one", at: noon }]);
  });
});

test("a query used twice stays prepared on its connection, also within transactions", async () => {
  connectDatabase(database.url, 1);
  const ask = () => db().execute(sql`SELECT 1 AS "kept_outside" WHERE ${1}::int = 1`);
  const askWithin = () =>
    runInTransaction((tx) => tx.execute(sql`SELECT 1 AS "kept_within" WHERE ${1}::int = 1`));
  for (const each of [ask, askWithin, ask, askWithin, ask, askWithin]) expect(await each()).toHaveLength(1);
  expect(await kept("kept_outside")).toHaveLength(1);
  expect(await kept("kept_within")).toHaveLength(1);
});

test("one-time query texts displace no prepared one", async () => {
  connectDatabase(database.url, 1);
  for (let n = 0; n < 1_100; n++) await db().execute(sql.raw(`SELECT 1 AS "once_${n}" WHERE ${n} = ${n}`));
  const ask = () => db().execute(sql`SELECT 1 AS "asked_again" WHERE ${1}::int = 1`);
  for (let n = 0; n < 3; n++) await ask();
  expect(await kept("asked_again")).toHaveLength(1);
  expect(await kept("once_1099")).toEqual([]);
});
