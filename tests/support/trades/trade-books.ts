import { sql } from "drizzle-orm";
import { verifyChain } from "#modules/audit";
import { registerTradeProof } from "#modules/escrow";
import { verifyLedger } from "#modules/payments";
import { db } from "../../../db/client.ts";

/** What each account holds in the credit sense, in tugrik, of one trade's journals; accounts at zero are left out. */
export async function readTradeBalances(tradeId: number): Promise<Record<string, number>> {
  const rows = await db().execute<{ account: string; balance: string }>(sql`
    SELECT entries.account, -sum(entries.amount) AS balance
    FROM payments.entries JOIN payments.journals ON journals.id = entries.journal_id
    WHERE journals.reference = ${tradeId}
    GROUP BY entries.account HAVING sum(entries.amount) <> 0 ORDER BY entries.account`);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, Number(balance)]));
}

/** What the server said in a room, as codes in their order. */
export async function noticesOf(roomId: number): Promise<string[]> {
  const rows = await db().execute<{ code: string }>(
    sql`SELECT code FROM rooms.messages WHERE room_id = ${roomId} AND code IS NOT NULL ORDER BY seq`,
  );
  return rows.map(({ code }) => code);
}

/** Proves the ledger and the audit chain; answers what is wrong, nothing when all is well. */
export async function findBookFaults(): Promise<unknown[]> {
  const withdraw = registerTradeProof();
  try {
    const [ledger, log] = [await verifyLedger(), await verifyChain({ runningAt: new Date() })];
    return [...(ledger.ok ? [] : ledger.problems), ...(log.ok ? [] : [log])];
  } finally {
    withdraw();
  }
}

/** How many rows the tables of a command's effects hold: equal before and after, nothing was written. */
export async function countWrittenRows(): Promise<Record<string, number>> {
  const tables = [
    "escrow.trades",
    "escrow.steps",
    "escrow.deadlines",
    "escrow.disputes",
    "escrow.details",
    "escrow.hand_confirmations",
    "escrow.support_requests",
    "payments.invoices",
    "payments.payments",
    "payments.payouts",
    "payments.journals",
    "payments.settlements",
    "rooms.rooms",
    "rooms.members",
    "rooms.messages",
    "identity.users",
  ];
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await db().execute<{ count: string }>(sql`SELECT count(*) FROM ${sql.raw(table)}`);
    counts[table] = Number(row?.count);
  }
  const [state] = await db().execute<{ state: string }>(sql`
    SELECT md5(string_agg(trades::text, '|' ORDER BY id)) AS state FROM escrow.trades`);
  return { ...counts, [`trades ${state?.state}`]: 1 };
}
