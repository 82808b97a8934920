/**
 * Accepts a record that `bun run audit:verify` names in its current state: `bun run audit:accept <trade|transfer|hold> <id>`, after the
 * operator has examined the alteration in the database or repaired it. Until then Midman refuses to act on the record. The log keeps that
 * it was accepted, when, and its earlier digest.
 */
import "./console/console-settings.ts";

import { currentTime } from "#db/clock";
import { acceptRow, rowLabels } from "#modules/audit";
// Each module registers which of its records are compared with the log.
import "#modules/escrow";
import { openForCommand } from "./console/open-for-command.ts";

async function acceptRecord(): Promise<number> {
  const [label = "", number = "", ...more] = process.argv.slice(2);
  const id = Number(number);
  if (!rowLabels().includes(label) || !Number.isSafeInteger(id) || id < 1 || more.length > 0) {
    console.error(`Usage: bun run audit:accept <${rowLabels().join("|")}> <id>`);
    return 2;
  }
  const database = await openForCommand();
  try {
    const taken = await acceptRow(label, id, currentTime());
    console.log(
      taken ? `The log accepts ${label} ${id} in its current state.` : `There is no ${label} ${id}.`,
    );
    return taken ? 0 : 1;
  } finally {
    await database.stop();
  }
}

try {
  process.exit(await acceptRecord());
} catch (error) {
  console.error(`Nothing was accepted: ${(error as Error).message}`);
  process.exit(1);
}
