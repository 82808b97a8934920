import { subYears } from "date-fns";
import { openClient } from "#db/client";
import { makePartitions } from "#db/partitions";
import { startAudit, stopAudit } from "#modules/audit";
import { closeDays } from "#modules/escrow";
import { type FillContext, reserveIds } from "./fill-context.ts";
import { fillLog } from "./log.ts";
import { fillMoney } from "./money.ts";
import { fillPeople } from "./people.ts";
import { fillRooms } from "./rooms.ts";
import { sealRows } from "./seal-rows.ts";
import { fillTrades } from "./trades.ts";

/** How many of each; everything else follows from them. */
export type Sizes = { users: number; transactions: number; logs: number };

/** What the targets for growth are measured at. */
export const largeSizes: Sizes = { users: 50_000, transactions: 100_000, logs: 5_000_000 };

/** More people than a trial has: such a database is not filled again. */
const maximumPeople = 1_000;

/**
 * Fills a database with a year of a busy Midman, written in bulk beside whatever is there: people, rooms with their
 * conversations, trades of every state, their money in a sound ledger, mails, and the log. The log is a true one: its entries are
 * written and sealed as the running Midman does it, only that their moments lie in the past; addresses are kept of the
 * last thirty days. Nothing is written by the verbs, so a trade has no details of accounts but those of its payouts.
 * `db()` must be connected to `url`. Says what it has done as it goes. Throws where more than a thousand people are there.
 */
export async function fillLarge(url: string, sizes: Sizes, say: (line: string) => void = () => {}) {
  const sql = openClient(url, { max: 1, connection: { application_name: "midman seed" } });
  try {
    const [there] = await sql`SELECT count(*)::int AS users FROM identity.users`;
    if (there?.users > maximumPeople) throw new Error("This database is full of people already.");
    await sql.unsafe(
      "SET synchronous_commit = off; SET work_mem = '128MB'; SET jit = off; SELECT setseed(0.25)",
    );
    const filling: FillContext = {
      ...{ sql, sizes },
      users: await reserveIds(sql, "identity.users", sizes.users),
      rooms: await reserveIds(sql, "rooms.rooms", sizes.transactions),
      trades: await reserveIds(sql, "escrow.trades", sizes.transactions),
    };
    // A year that was lived through would lie in the partitions of its time.
    await makePartitions({ from: subYears(new Date(), 1), to: new Date() });
    await startAudit();
    for (const [what, fill] of Object.entries(fillSteps)) {
      const from = performance.now();
      await fill(filling);
      say(`${what}: ${((performance.now() - from) / 1000).toFixed(0)} s`);
    }
    await stopAudit();
    await sql`DELETE FROM escrow.day_figures`;
    await closeDays(new Date());
    // What the planner knows of a table decides whether it reads it off an index.
    await sql.unsafe("VACUUM ANALYZE");
  } finally {
    await stopAudit();
    await sql.end();
  }
}

const fillSteps: Record<string, (filling: FillContext) => Promise<void>> = {
  people: fillPeople,
  trades: fillTrades,
  rooms: fillRooms,
  money: fillMoney,
  log: fillLog,
  seal: sealRows,
};
