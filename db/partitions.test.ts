import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { ownerDatabase, useDatabase } from "../tests/support/database/test-database.ts";
import { db, openClient, runInTransaction } from "./client.ts";
import { keepPartitions, makePartitions } from "./partitions.ts";

const database = useDatabase();
const tables = ["audit.entries", "rooms.messages"] as const;
type Part = { part: string; lower: Date | null; upper: Date | null; rest: boolean };

const ahead = (months: number) => new Date(Date.now() + months * 31 * 86_400_000);
const moment = (value: unknown) => (value === null ? null : new Date(value as string));

async function partsOf(table: string): Promise<Part[]> {
  const rows = await db().execute<Record<keyof Part, unknown>>(sql`
    SELECT part::text, lower, upper, rest FROM base.partitions_of(${table}::regclass)
    ORDER BY rest, upper`);
  return rows.map(({ part, lower, upper, rest }) => ({
    part: part as string,
    lower: moment(lower),
    upper: moment(upper),
    rest: rest as boolean,
  }));
}

/** Drops the partitions that begin more than this many months ahead; they are empty. */
async function withoutThoseAfter(months: number): Promise<void> {
  for (const table of tables) {
    for (const { part, lower } of await partsOf(table)) {
      if (lower === null || lower < ahead(months)) continue;
      await ownerDatabase().execute(sql.raw(`ALTER TABLE ${table} DETACH PARTITION ${part}`));
      await ownerDatabase().execute(sql.raw(`DROP TABLE ${part}`));
    }
  }
}

const entryAt = (at: string) =>
  db().execute(sql`
  WITH written AS (
    INSERT INTO audit.entries (at, action, data, trace) SELECT ${sql.raw(at)}, 'login', '{}', repeat('a', 64) RETURNING id, at
  )
  INSERT INTO audit.traces (entry_id, at, key, ip) SELECT id, at, decode(repeat('00', 32), 'hex'), '10.0.0.1' FROM written`);

const countIn = async (table: string) =>
  Number((await ownerDatabase().execute<{ n: string }>(sql.raw(`SELECT count(*) AS n FROM ${table}`)))[0]?.n);

async function emptied(): Promise<void> {
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`TRUNCATE audit.entries, audit.traces, rooms.rooms CASCADE`);
  });
}

describe("partitions", () => {
  afterEach(emptied);

  test("cover all time up to a year ahead without gaps, one per quarter, and a default takes the rest", async () => {
    for (const table of tables) {
      const parts = await partsOf(table);
      expect(parts.at(-1)).toMatchObject({ part: `${table}_rest`, rest: true });
      const quarters = parts.slice(0, -1);
      expect(quarters[0]?.lower).toBeNull();
      for (const [n, { lower }] of quarters.entries()) {
        if (n > 0) expect(lower).toEqual(quarters[n - 1]?.upper ?? null);
        if (lower !== null) expect(lower.toISOString()).toMatch(/^\d{4}-(01|04|07|10)-01T00:00:00.000Z$/);
      }
      const last = quarters.at(-1)?.upper?.getTime() ?? 0;
      expect(last).toBeGreaterThan(Date.now() + 365 * 86_400_000);
      expect(last).toBeLessThan(Date.now() + 460 * 86_400_000);
    }
  });

  test("all have the same indexes, checks, keys and triggers", async () => {
    for (const table of tables) {
      const made = new Map<string, string>();
      for (const { part } of await partsOf(table)) {
        const rows = await db().execute<{ said: string }>(sql`
          SELECT replace(regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON', 'INDEX ON'), ${part}, '') AS said
          FROM pg_index WHERE indrelid = ${part}::regclass
          UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = ${part}::regclass AND contype <> 'n'
          UNION ALL SELECT tgname || tgtype FROM pg_trigger WHERE tgrelid = ${part}::regclass AND NOT tgisinternal
          ORDER BY 1`);
        made.set(part, rows.map(({ said }) => said).join("\n"));
      }
      const [first] = made.values();
      expect(Object.fromEntries(made)).toEqual(
        Object.fromEntries([...made.keys()].map((part) => [part, first ?? ""])),
      );
      expect(first).toContain(table === "audit.entries" ? "never_emptied34" : "UNIQUE (room_id, seq)");
    }
  });

  test("that are missing are created once, by however many callers", async () => {
    const before = await Promise.all(tables.map(partsOf));
    await withoutThoseAfter(4);
    expect(await Promise.all(tables.map(partsOf))).not.toEqual(before);
    await Promise.all([keepPartitions(), keepPartitions(), keepPartitions(), keepPartitions()]);
    expect(await Promise.all(tables.map(partsOf))).toEqual(before);
  });

  test("are created while others write, without refusing anyone", async () => {
    await db().execute(sql`
      INSERT INTO rooms.rooms (name, created_by_id, created_at) SELECT 'A game account', 1, now() FROM generate_series(1, 6)`);
    await db().execute(sql`INSERT INTO rooms.counters (room_id) SELECT id FROM rooms.rooms`);
    const rooms = await db().execute<{ id: number }>(sql`SELECT id::int FROM rooms.rooms`);
    let writing = true;
    const message = (roomId: number, seq: number) => sql`
      INSERT INTO rooms.messages (room_id, seq, type, code, params, created_at) VALUES (${roomId}, ${seq}, 'system', 'joined', '{}', now())`;
    const entry = sql`INSERT INTO audit.entries (at, action, data) VALUES (now(), 'login', '{}')`;
    // In both orders, as Midman itself does.
    const writers = rooms.map(async ({ id }, n) => {
      let seq = 0;
      for (; writing; ) {
        seq += 1;
        await runInTransaction(async (tx) => {
          if (n % 2 === 0) await tx.execute(entry);
          await tx.execute(sql`SELECT FROM rooms.counters WHERE room_id = ${id} FOR UPDATE`);
          await tx.execute(message(id, seq));
          if (n % 2 === 1) await tx.execute(entry);
        });
      }
      return seq;
    });
    for (let years = 2; years < 7; years++) await makePartitions({ from: new Date(), to: ahead(years * 12) });
    writing = false;
    const written = (await Promise.all(writers)).reduce((sum, seq) => sum + seq, 0);
    expect(await countIn("rooms.messages")).toBe(written);
    // Each of a writer's entries has a second one beside it with the digest of the message.
    expect(await countIn("audit.entries")).toBe(2 * written);
    expect((await partsOf("rooms.messages")).at(-2)?.upper?.getTime()).toBeGreaterThan(ahead(71).getTime());
    await withoutThoseAfter(4);
    await keepPartitions();
  });

  test("created late take over the rows in the default partition, with everything that refers to them", async () => {
    const before = await partsOf("audit.entries");
    await withoutThoseAfter(4);
    await entryAt("now() + interval '8 months'");
    await entryAt("now() + interval '11 months'");
    expect(await countIn("ONLY audit.entries_rest")).toBe(2);
    await keepPartitions();
    expect(await countIn("ONLY audit.entries_rest")).toBe(0);
    expect(await countIn("audit.entries")).toBe(2);
    const parts = await partsOf("audit.entries");
    // One partition from the end of the existing ones to the last row, and quarters after it.
    expect(parts.at(-2)?.upper).toEqual(before.at(-2)?.upper ?? null);
    for (const [n, { lower, rest }] of parts.entries()) {
      if (n > 0 && !rest) expect(lower).toEqual(parts[n - 1]?.upper ?? null);
    }
    const [full] = await db().execute<{ part: string }>(
      sql`SELECT DISTINCT tableoid::regclass::text AS part FROM audit.entries`,
    );
    for (const statement of [
      "DELETE FROM audit.entries",
      `TRUNCATE ${full?.part} CASCADE`,
      "TRUNCATE audit.entries_rest CASCADE",
      "INSERT INTO audit.traces (entry_id, at, key, ip) VALUES (99999, now(), decode(repeat('00', 32), 'hex'), '10.0.0.1')",
    ]) {
      const refused = await ownerDatabase()
        .transaction((tx) => tx.execute(sql.raw(statement)))
        .then(
          () => "done",
          (error) => (error.cause as { code: string }).code,
        );
      expect([statement, refused]).toEqual([statement, expect.stringMatching(/^23/)]);
    }
  });

  test("are created even if a row lies beyond all of them, and that row is reported until it is gone", async () => {
    await withoutThoseAfter(4);
    await entryAt("now() + interval '30 years'");
    await expect(keepPartitions()).rejects.toThrow("audit.entries (1 rows)");
    expect((await partsOf("audit.entries")).at(-2)?.upper?.getTime()).toBeGreaterThan(
      Date.now() + 365 * 86_400_000,
    );
    expect((await partsOf("rooms.messages")).at(-2)?.upper?.getTime()).toBeGreaterThan(
      Date.now() + 365 * 86_400_000,
    );
    expect(await countIn("audit.entries_rest")).toBe(1);
    await emptied();
    await keepPartitions();
  });

  test("are planned by the statistics of all of them", async () => {
    await entryAt("now()");
    await keepPartitions();
    const client = openClient(database.url, { max: 1 });
    const [known] =
      await client`SELECT count(*)::int AS n FROM pg_stats WHERE schemaname = 'audit' AND tablename = 'entries' AND inherited`;
    await client.end();
    expect(known?.n).toBeGreaterThan(0);
  });

  test("of the past are created for a load, as long as no rows are there", async () => {
    const [from, to] = [new Date("2024-02-10T00:00:00Z"), new Date("2024-08-01T00:00:00Z")];
    expect(await makePartitions({ from, to })).toBeGreaterThan(4);
    expect(await makePartitions({ from, to })).toBe(0);
    await entryAt("'2024-05-05'");
    expect(await countIn("audit.entries_2024q2")).toBe(1);
    const parts = await partsOf("audit.entries");
    for (const [n, { lower, rest }] of parts.entries()) {
      if (n > 0 && !rest) expect(lower).toEqual(parts[n - 1]?.upper ?? null);
    }
    await entryAt("'2019-05-05'");
    await makePartitions({ from: new Date("2019-01-01T00:00:00Z"), to: from });
    expect(await countIn("audit.entries_earlier")).toBe(1);
    expect((await partsOf("audit.entries")).length).toBe(parts.length);
    expect((await partsOf("rooms.messages")).length).toBeGreaterThan(parts.length);
  });
});
