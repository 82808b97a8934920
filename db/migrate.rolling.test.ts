import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { migrationsFolder } from "./migrate/journal.ts";

// While instances are replaced one after another, an older version runs on a database that a newer one has already migrated
// (docs/decisions/0003). No version came before the baseline of 1.0. Of the migrations before 1.0, those since 0038 were applied beside an
// older version.

const BASELINE_END = "0007_escrow.sql";
const before = join(migrationsFolder, "before-1.0");

/** Statements that an older version, or a query waiting for the table, may not survive. */
const dangerous: Array<[what: string, pattern: RegExp]> = [
  ["drops a table or a column", /\bDROP\s+(TABLE|COLUMN|SCHEMA|VIEW)\b/i],
  ["renames", /\bRENAME\s+(TO|COLUMN|CONSTRAINT)\b|\bRENAME\s+\w+\s+TO\b/i],
  ["changes a type", /\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b/i],
  ["demands a value", /\bSET\s+NOT\s+NULL\b/i],
  [
    "adds a column that must have a value and has no default",
    /\bADD\s+(COLUMN\s+)?(?!CONSTRAINT|CHECK|FOREIGN|PRIMARY|UNIQUE)[^,;]*\bNOT\s+NULL\b(?![^,;]*\bDEFAULT\b)(?<!\bDEFAULT\b[^,;]*)/i,
  ],
  [
    "checks rows that stand",
    /\bADD\s+(CONSTRAINT\s+\w+\s+)?(CHECK|FOREIGN\s+KEY)\b(?![^;]*\bNOT\s+VALID\b)/i,
  ],
  ["forbids what was allowed", /\bADD\s+(CONSTRAINT\s+\w+\s+)?UNIQUE\b|\bCREATE\s+UNIQUE\s+INDEX\b/i],
  ["makes an index while nobody may write", /\bCREATE\s+INDEX\b/i],
];

/** The comment by which a migration explains why it may do so anyway. */
const excuse = /^--[ \t]*An older version survives( it)?:[ \t]*\S.{20,}/im;

/** The forbidden statements of a migration; empty if it explains why an older version survives them. */
function broken(text: string): string[] {
  if (excuse.test(text)) return [];
  const statements = text
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .split(";");
  // No older version uses what this migration itself creates.
  const own = new Set(
    [...text.matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w.]+)/gi)].map(([, name]) => name),
  );
  return statements.flatMap((statement) => {
    const on = /\b(?:ALTER\s+TABLE(?:\s+ONLY)?|INDEX\b.*?\bON(?:\s+ONLY)?)\s+([\w.]+)/is.exec(statement)?.[1];
    if (on !== undefined && own.has(on)) return [];
    return dangerous.filter(([, pattern]) => pattern.test(statement)).map(([what]) => what);
  });
}

const numbered = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .map((name) => join(folder, name));

test("every new migration works with the previous version, or says why it need not", () => {
  const files = [
    ...numbered(before).filter((path) => basename(path) >= "0038"),
    ...numbered(migrationsFolder).filter((path) => basename(path) > BASELINE_END),
  ];
  expect(files.length).toBeGreaterThanOrEqual(17);
  const found = files.map((path) => [basename(path), broken(readFileSync(path, "utf8"))]);
  expect(found.filter(([, what]) => what?.length !== 0)).toEqual([]);
});

test("the rule detects what it is for", () => {
  const planted: Array<[sql: string, what: number]> = [
    ["DROP TABLE escrow.trades;", 1],
    ["ALTER TABLE escrow.trades DROP COLUMN code;", 1],
    ["ALTER TABLE escrow.trades RENAME COLUMN code TO number;", 1],
    ["ALTER TABLE escrow.trades RENAME TO deals;", 1],
    ["ALTER TABLE escrow.trades ALTER COLUMN code TYPE bigint USING 1;", 1],
    ["ALTER TABLE escrow.trades ALTER code SET NOT NULL;", 1],
    ["ALTER TABLE escrow.trades ADD COLUMN kind text NOT NULL;", 1],
    ["ALTER TABLE escrow.trades ADD CONSTRAINT sane CHECK (amount > 0);", 1],
    ["CREATE UNIQUE INDEX one_each ON escrow.trades (code);", 1],
    ["CREATE INDEX by_code ON escrow.trades (code);", 1],
    ["-- DROP TABLE escrow.trades;", 0],
    ["ALTER TABLE escrow.trades ADD COLUMN kind text;", 0],
    ["ALTER TABLE escrow.trades ADD COLUMN kind text NOT NULL DEFAULT 'x';", 0],
    ["ALTER TABLE escrow.trades ADD COLUMN kind text DEFAULT 'x' NOT NULL;", 0],
    ["ALTER TABLE escrow.trades ADD CONSTRAINT sane CHECK (amount > 0) NOT VALID;", 0],
    [
      "CREATE TABLE a.b (n int NOT NULL); CREATE UNIQUE INDEX x ON a.b (n); ALTER TABLE a.b ADD CHECK (n > 0);",
      0,
    ],
    ["-- An older version survives it: nobody ever read this column.\nALTER TABLE a.b DROP COLUMN c;", 0],
    ["-- An older version survives it:\nALTER TABLE a.b DROP COLUMN c;", 1],
  ];
  for (const [text, what] of planted) expect([text, broken(text).length]).toEqual([text, what]);
});
