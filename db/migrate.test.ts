import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { is, SQL } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import { freshDatabase, useDatabase } from "../tests/support/database/test-database.ts";
import { openClient } from "./client.ts";
import { migrateDatabase, migrationsFolder } from "./migrate.ts";

const database = useDatabase({ connected: false });
const root = join(import.meta.dir, "..");

type Journal = { entries: Array<{ idx: number; when: number; tag: string; breakpoints: boolean }> };
const journal: Journal = await Bun.file(join(migrationsFolder, "meta/_journal.json")).json();

test("the journal only grows: each migration is later than the one before, or it would be skipped in silence", () => {
  journal.entries.forEach((entry, place) => {
    expect(entry.idx).toBe(place);
    expect(entry.when).toBeGreaterThan(journal.entries[place - 1]?.when ?? 0);
    expect(entry.tag).toStartWith(String(place).padStart(4, "0"));
  });
});

test("every file is in the journal, and every entry has its file", () => {
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith(".sql"));
  expect(files.sort()).toEqual(journal.entries.map(({ tag }) => `${tag}.sql`));
});

test("six instances that start at once on an empty database all come up, and each migration ran once", async () => {
  const { url, drop } = await freshDatabase(true);
  const script = `import { migrateDatabase } from "${import.meta.dir}/migrate.ts"; await migrateDatabase(${JSON.stringify(url)});`;
  const starts = Array.from({ length: 6 }, () =>
    Bun.spawn([process.execPath, "-e", script], { cwd: root, stderr: "pipe" }),
  );
  const ends = await Promise.all(
    starts.map(async (start) => ({
      status: await start.exited,
      errors: await new Response(start.stderr).text(),
    })),
  );
  expect(ends).toEqual(Array(6).fill({ status: 0, errors: "" }));
  const client = openClient(url, { max: 1 });
  const rows = await client`SELECT hash FROM drizzle.__drizzle_migrations`;
  expect(rows.length).toBe(journal.entries.length);
  await client.end();
  await drop();
});

test("a second run changes nothing", async () => {
  await migrateDatabase(database.url);
});

/** The catalogue's name of a column's type, where Drizzle uses another. */
function catalogueType(column: PgColumn): string {
  const type = column.getSQLType().toLowerCase();
  const names: Record<string, string> = {
    serial: "integer",
    bigserial: "bigint",
    timestamp: "timestamp without time zone",
    varchar: "character varying",
    decimal: "numeric",
    real: "real",
  };
  return (names[type] ?? type)
    .replace(/^varchar/, "character varying")
    .replace(/^char\(/, "character(")
    .replace(", ", ",")
    .replace(/^timestamp( \((\d)\))? with time zone$/, (_all, _some, digits) =>
      digits === undefined ? "timestamp with time zone" : `timestamp(${digits}) with time zone`,
    );
}

const schemas = [...new Glob("modules/**/{schema,*.schema,schema.*}.ts").scanSync(root)].filter(
  (path) => !path.endsWith(".test.ts"),
);

test("every module's tables are compared", () => {
  const of = new Set(schemas.map((path) => path.split("/")[1]));
  expect([...of].sort()).toEqual(["audit", "escrow", "identity", "mailer", "payments", "rooms"]);
});

for (const path of schemas.sort()) {
  test(`${path} says what the database has`, async () => {
    const exported: Record<string, unknown> = await import(join(root, path));
    const tables = Object.values(exported).filter((value) => is(value, PgTable));
    expect(tables.length).toBeGreaterThan(0);
    const client = openClient(database.url, { max: 1 });
    for (const table of tables) {
      const { schema = "public", name, columns } = getTableConfig(table);
      const real = await client<Array<{ name: string; type: string; required: boolean; filled: boolean }>>`
        SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required,
          (a.atthasdef OR a.attidentity <> '' OR a.attgenerated <> '') AS filled
        FROM pg_attribute a
        WHERE a.attrelid = to_regclass(${`"${schema}"."${name}"`}) AND a.attnum > 0 AND NOT a.attisdropped`;
      const said = columns.map((column) => columnOf(column));
      // Code need not know the columns that the database fills by itself.
      const meant = real.filter((one) => !one.filled || said.some(({ column }) => column === one.name));
      const found = meant.map(({ name: column, type, required, filled }) => ({
        column,
        type: type.replace(new RegExp(`^"?${schema}"?\\.`), ""),
        required,
        // Drizzle may omit a default but must not declare one that does not exist.
        filled: filled && said.find((one) => one.column === column)?.filled === true,
      }));
      expect({ table: `${schema}.${name}`, columns: sorted(said) }).toEqual({
        table: `${schema}.${name}`,
        columns: sorted(found),
      });
    }
    await client.end();
  });
}

function columnOf(column: PgColumn) {
  const made = column.generatedIdentity !== undefined || column.generated !== undefined;
  return {
    column: column.name,
    type: catalogueType(column),
    required: column.notNull,
    filled: made || (column.hasDefault && (column.default !== undefined || is(column.default, SQL))),
  };
}

function sorted<T extends { column: string }>(columns: T[]): T[] {
  return columns.sort((one, other) => (one.column < other.column ? -1 : 1));
}
