import { subYears } from "date-fns/subYears";
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

/** The sizes that all others follow from. */
export type Sizes = { users: number; transactions: number; logs: number };

/** The sizes at which the growth targets are measured. */
export const largeSizes: Sizes = { users: 50_000, transactions: 100_000, logs: 5_000_000 };

/** More people than a trial has: a database with more is not filled again. */
const maximumPeople = 1_000;

/**
 * Fills a database with a year of a busy Midman, in bulk and beside existing data: people, rooms with conversations, trades of every state
 * with their money in a sound ledger, emails, and the log. The log is genuine: the running Midman's code writes and seals its entries, only
 * with past times; addresses are kept for the last thirty days. No verb is used, so a trade has no account details except those of its
 * payouts. `db()` must be connected to `url`. Reports progress through `say`. Throws if the database has more than a thousand people.
 */
export async function fillLarge(url: string, sizes: Sizes, say: (line: string) => void = () => {}) {
  const sql = openClient(url, { max: 1, connection: { application_name: "midman seed" } });
  try {
    const [there] = await sql`SELECT count(*)::int AS users FROM identity.users`;
    if (there?.users > maximumPeople) throw new Error("This database already has many people.");
    await sql.unsafe(
      "SET synchronous_commit = off; SET work_mem = '128MB'; SET jit = off; SELECT setseed(0.25)",
    );
    const filling: FillContext = {
      ...{ sql, sizes },
      users: await reserveIds(sql, "identity.users", sizes.users),
      rooms: await reserveIds(sql, "rooms.rooms", sizes.transactions),
      trades: await reserveIds(sql, "escrow.trades", sizes.transactions),
    };
    // Rows of an ordinary year would lie in the partitions of their time.
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
    // The planner's statistics decide whether it uses an index.
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
