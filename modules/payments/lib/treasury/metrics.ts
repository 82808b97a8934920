import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { registerScrapedGauge } from "#db/metrics";
import { lastLedgerCheck } from "../ledger/check-ledger.ts";

const MINUTE = 60;

/** Registers the metrics of the ledger and of waiting payouts. Their labels name no account, trade or person. */
export function measureMoney(): void {
  registerScrapedGauge(
    {
      name: "ledger_balance_tugrik",
      help: "Ledger balance by kind of account; debits are positive, and the sum is 0",
      labels: ["account"],
      keepSeconds: 5 * MINUTE, // reads the whole ledger
    },
    async () => {
      const rows = await db().execute<{ account: string; amount: string }>(sql`
        SELECT split_part(account, ':', 1) AS account, sum(amount)::text AS amount FROM payments.entries GROUP BY 1`);
      return rows.map(({ account, amount }) => ({ labels: { account }, value: Number(amount) }));
    },
  );
  registerScrapedGauge(
    {
      name: "ledger_verified_seconds",
      help: "Time since the ledger was last verified; `whole` is the result",
      labels: ["whole"],
      keepSeconds: 15,
    },
    async () => {
      const last = await lastLedgerCheck(db());
      if (last === null) return [];
      return [
        { labels: { whole: String(last.ok) }, value: (currentTime().getTime() - last.at.getTime()) / 1_000 },
      ];
    },
  );
  measurePayouts();
}

function measurePayouts(): void {
  const live = sql`SELECT kind, state, count(*)::int AS count,
    extract(epoch FROM now() - min(created_at))::float8 AS seconds
    FROM payments.payouts WHERE state IN ('due', 'approved', 'unknown') GROUP BY kind, state`;
  type Row = { kind: string; state: string; count: number; seconds: number };
  const by = (of: "count" | "seconds") => async () => {
    const rows = await db().execute<Row>(live);
    return rows.map((row) => ({ labels: { kind: row.kind, state: row.state }, value: row[of] }));
  };
  const shared = { labels: ["kind", "state"], keepSeconds: 15 };
  registerScrapedGauge(
    { name: "payouts", help: "Payouts and refunds that have not been sent, or are in doubt", ...shared },
    by("count"),
  );
  registerScrapedGauge(
    { name: "payouts_oldest_seconds", help: "How long the oldest payout has waited", ...shared },
    by("seconds"),
  );
}
