import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { is, SQL } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import { freshDatabase, useDatabase } from "../tests/support/database/test-database.ts";
import { openClient } from "./client.ts";
import { migrationsFolder } from "./migrate/journal.ts";
import { migrateDatabase } from "./migrate.ts";

const database = useDatabase({ connected: false });
const root = join(import.meta.dir, "..");

type Journal = { entries: Array<{ idx: number; when: number; tag: string; breakpoints: boolean }> };
const journal: Journal = await Bun.file(join(migrationsFolder, "meta/_journal.json")).json();

test("the journal only grows: each migration is later than the one before, or it would be skipped silently", () => {
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

/**
 * The digests of the migrations. Released ones never change: databases have them as they were, and only new ones are applied. Until 1.0 is
 * released a file of the baseline may change together with its line here; after that, lines are only added.
 */
const digests: Record<string, string> = {
  "0000_base": "a1cfac35b8b6d7680d4246376deedff58ae284632cd9e53c2fe94d259d532ec0",
  "0001_audit": "7388e17f7fd7a81b3a5fb5b8cc9bb2c4f80ab2ae45312afd2ba3c36ef5bed8f7",
  "0002_mailer": "960818551425f0b16f10c9c165ee81e7f9c18851cf704bc7beb3975718a2a6e6",
  "0003_identity": "05d8c1bfc44a2ff7f8bacad8cfb783b23b163bfcd61e5b48c52a0222292014c7",
  "0004_rooms": "37c594be8848fcf919296fc73c1b6aa289248c67ec5d123e7baddf1b7c12a760",
  "0005_payments": "ffb6099ea89b21546d10d4f21e401b860d7104e34a1a9339b179dc184d100c51",
  "0006_sandbox": "a08f637cce89e51b2f39fbf6ace1ebb4f8fde35ac655d33554549dd73922665e",
  "0007_escrow": "e3c75c2bf1ad92159dae093fee88ec6ffc3ac43f04e5aa94997263caa3786fcf",
  "0008_claim_notes": "f9a15a3221ed895675f49d1c332421ae6c3e68a5f092d7ef17944981bc884796",
  "0009_replies": "7d79c5744e3c0fe8e06ac2a4fca2a367d43461dd85e2aa35fd8d00af496d766f",
  "0010_room_files": "42d032712c43d7be39200e4d2bb008d7bd88ed1f8b8c4e2b5a08696bee839c07",
  "0011_last_seen": "e1391b2cda3fb7d3c843afab6960f0a566b7632c9aa7a7851deb745d67ef20ff",
  "before-1.0": "438209d494792be7fa9e024a3637eedd1ad80b0e79629d39f7e51d5f28175e4d",
};

test("no migration has changed, including those from before 1.0", () => {
  const digestOf = (folder: string, name: string) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  const found = journal.entries.map(({ tag }) => [tag, digestOf(migrationsFolder, `${tag}.sql`)]);
  const before = join(migrationsFolder, "before-1.0");
  const names = readdirSync(before)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const all = createHash("sha256").update(
    names.map((name) => `${name} ${digestOf(before, name)}\n`).join(""),
  );
  expect(Object.fromEntries([...found, ["before-1.0", all.digest("hex")]])).toEqual(digests);
});

test("six instances that start at once on an empty database all come up, and each migration runs once", async () => {
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
  test(`${path} matches the database`, async () => {
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
