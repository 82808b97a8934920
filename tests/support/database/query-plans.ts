import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "postgres";

/** A statement as the server sent it. */
export type Statement = { text: string; values: unknown[] };

/** How the database answers a statement. */
export type Plan = {
  text: string;
  /** Its scans, as `Index Scan trades_newest`, and what is put between them, from the top. */
  nodes: string[];
  /** Tables, and of parted ones partitions, that were looked into at all, `schema.name`. */
  opened: string[];
  /** Tables that are read from end to end, `schema.name`; a partition that is empty or was not looked into is not. */
  sequential: string[];
  /** Rows that its scans touched, those that were passed over included. */
  rows: number;
  /** As the database took it, in milliseconds. */
  ms: number;
};

export const statementsFile = "statements.jsonl";

/** The statements that a recording server has sent since this was last asked. */
export function takeRecordedStatements(dataDir: string): Statement[] {
  const file = join(dataDir, statementsFile);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  rmSync(file);
  return lines.map((line) => JSON.parse(line) as Statement);
}

type Node = {
  "Node Type": string;
  Schema?: string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Node[];
};

type ExplainRow = { "QUERY PLAN": Array<{ Plan: Node; "Execution Time": number }> };

/** Postgres' number of the type. */
const jsonbTypeId = 3802;

/** How the statements that read are answered, each run anew in a transaction that writes nothing. */
export async function explainStatements(sql: Sql, statements: readonly Statement[]): Promise<Plan[]> {
  sql.options.serializers[jsonbTypeId] = (text: unknown) => text; // as the server's own client has it: what was recorded is JSON already
  const reading = statements.filter(({ text }) => /^\s*(select|with|\()/i.test(text));
  return sql.begin("read only", async (tx) => {
    const tables = await tablesOfPartitions(tx);
    const plans: Plan[] = [];
    for (const { text, values } of reading) {
      const explain = `EXPLAIN (ANALYZE, VERBOSE, TIMING OFF, FORMAT JSON) ${text}`;
      for (const row of await tx.unsafe<ExplainRow[]>(explain, values as never)) {
        for (const { Plan: top, "Execution Time": ms } of row["QUERY PLAN"])
          plans.push({ text, ms, ...summarizePlan(top, tables) });
      }
    }
    return plans;
  });
}

/** Of each partition the table it is of, both as `schema.name`: what reads the whole of one is told as reading the table. */
async function tablesOfPartitions(sql: Pick<Sql, "unsafe">): Promise<Map<string, string>> {
  const name = (of: string) =>
    `(SELECT relnamespace::regnamespace || '.' || relname FROM pg_class WHERE oid = ${of})`;
  const rows = await sql.unsafe<Array<{ part: string; of: string }>>(
    `SELECT ${name("inhrelid")} AS part, ${name("inhparent")} AS of FROM pg_inherits`,
  );
  return new Map(rows.map(({ part, of }) => [part, of]));
}

function summarizePlan(
  top: Node,
  tables: Map<string, string>,
): Pick<Plan, "nodes" | "opened" | "sequential" | "rows"> {
  const all = flattenPlan(top);
  const scans = all.filter((node) => node["Relation Name"] !== undefined);
  return {
    nodes: all.map((node) =>
      [node["Node Type"], node["Index Name"] ?? nameOf(node)].filter(Boolean).join(" "),
    ),
    opened: [...new Set(scans.filter((node) => node["Actual Loops"] > 0).map(nameOf))].sort(),
    sequential: [
      ...new Set(
        scans
          .filter((node) => node["Node Type"].includes("Seq Scan") && countTouchedRows(node) > 0)
          .map((node) => tables.get(nameOf(node)) ?? nameOf(node)),
      ),
    ],
    rows: scans.reduce((sum, node) => sum + countTouchedRows(node), 0),
  };
}

const flattenPlan = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flattenPlan)];

const nameOf = (node: Node) =>
  node["Relation Name"] === undefined ? "" : `${node.Schema}.${node["Relation Name"]}`;

function countTouchedRows(node: Node): number {
  const passed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return Math.round((node["Actual Rows"] + passed) * node["Actual Loops"]);
}

/** The tables with so many rows or more, `schema.name`, as last analysed. */
export async function tablesFrom(sql: Sql, rows: number): Promise<Set<string>> {
  const found = await sql`
    SELECT c.relnamespace::regnamespace || '.' || c.relname AS name FROM pg_class c
    WHERE c.relkind IN ('r', 'p') AND c.reltuples >= ${rows}`;
  return new Set(found.map(({ name }) => name as string));
}
