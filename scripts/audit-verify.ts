/**
 * Verifies the audit log: `bun run audit:verify`, beside a running instance or alone. Prints one line. Exits with 0 if every entry, trace
 * and block is as it was sealed, every message, journal, transaction, transfer, hold and administrator matches its entries, and every
 * published head is in the chain; with 1 if anything differs or the database cannot be reached. `--head <block>:<head>`, as printed by an
 * earlier run, also verifies that the chain has not been truncated since.
 */
import "./console/console-settings.ts";

import { parseArgs } from "node:util";
import { verifyChain } from "#modules/audit";
// Each module registers which of its records are compared with the log.
import "#modules/escrow";
import { openForCommand } from "./console/open-for-command.ts";

function anchorOf(text: string | undefined): { block: number; head: string } | undefined {
  if (text === undefined) return undefined;
  const [, block, head] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (block === undefined || head === undefined) throw new Error("--head is <block>:<64 hexadecimal digits>");
  return { block: Number(block), head };
}

async function verifyAuditLog(): Promise<number> {
  const { values } = parseArgs({ options: { head: { type: "string" } } });
  const anchor = anchorOf(values.head);
  const database = await openForCommand();
  try {
    const verdict = await verifyChain({ anchor });
    if (verdict.ok) {
      const { blocks, rows, unsealed, records, head } = verdict;
      console.log(
        `The log is intact: ${rows} entries in ${blocks} blocks, ${unsealed} not yet sealed; ${records} records match what was sealed; head ${blocks}:${head}`,
      );
      return 0;
    }
    console.log(`The log is BROKEN at block ${verdict.block}: ${verdict.reason}.`);
    return 1;
  } finally {
    await database.stop();
  }
}

try {
  process.exit(await verifyAuditLog());
} catch (error) {
  console.error(`The log could not be verified: ${(error as Error).message}`);
  process.exit(1);
}
