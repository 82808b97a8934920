/**
 * Midman, which writes every statement that its pool is asked outside of transactions, with its values, into
 * `statements.jsonl` of its folder of data: one a line.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "postgres";
import { db } from "../../../db/client.ts";
import { statementsFile } from "../database/query-plans.ts";

await import("../../../app/server.ts");

const statementsPath = join(process.env.DATA_DIR ?? "", statementsFile);
const { $client } = db() as unknown as { $client: Sql };
const sendUnrecorded = $client.unsafe.bind($client);
$client.unsafe = ((text: string, values: unknown[], ...rest: never[]) => {
  appendFileSync(statementsPath, `${JSON.stringify({ text, values })}\n`);
  return sendUnrecorded(text, values as never, ...rest);
}) as typeof $client.unsafe;
