import { and, eq, ne, or, sql } from "drizzle-orm";
import { db, type Executor, type Tx } from "#db/client";
import { takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import type { Actor } from "#modules/identity";
import { openHolds } from "#modules/payments";
import type { ReportInput } from "../../forms.ts";
import { loadTrade } from "../core/load-trade.ts";
import { sideOf } from "../core/party-access.ts";
import type { Trade } from "../machine/trade-types.ts";
import { placeOf } from "../verification/throttle-lookups.ts";
import { reportsTable } from "./schema.ts";

/** Trades that strangers from one network prefix may put on hold in a day. */
const strangerHoldLimit = { max: 3, seconds: 24 * 3_600 };

/** What must have happened for a report to put a trade on hold: money would go to someone it does not belong to. */
const reasonsThatHold: readonly ReportInput["happened"][] = ["fraud", "other_payment", "impersonation"];

type ReportCause = Pick<ReportInput, "happened">;

/**
 * Puts a trade on hold because of a report, until an administrator has looked at it; true if it did. It takes a report of fraud, and money
 * that Midman still holds: money that was sent cannot be stopped, and an unpaid trade needs no hold. To keep reports from being used as a
 * weapon, a party can do this once per trade; strangers (who know its code, such as someone who was told to pay for something else) once
 * per trade altogether, and in three trades a day from one network prefix (`strangerMayHold`). Every further report reaches the
 * administrators, who may put the trade on hold themselves. The caller holds the trade's lock.
 */
export async function holdForReport(
  tx: Tx,
  actor: Actor,
  report: { trade: Trade; number: string; input: ReportCause; strangerMayHold: boolean },
  at: Date,
): Promise<boolean> {
  const { trade, number, input, strangerMayHold } = report;
  const party = partyOf(actor, trade);
  if (party === null && !strangerMayHold) return false;
  if (!(await holdsTrade(tx, party, trade, input))) return false;
  const subject = party === null ? "report:stranger" : `report:party:${party}`;
  const hold = { reference: trade.id, reason: "FRAUD_REPORT" as const, subject, facts: { note: number } };
  await openHolds(tx, [{ ...hold, figures: number }], at);
  return true;
}

/**
 * Takes one of the holds that a stranger's network prefix has per day, if the report would put the trade on hold; false if it would not, or
 * if none is left. Called before the report's transaction: the count stays, whatever the outcome of the transaction.
 */
export async function strangerMayHold(
  actor: Actor,
  tradeId: number,
  input: ReportCause,
  at: Date,
): Promise<boolean> {
  const trade = await loadTrade(tradeId);
  if (trade === undefined || partyOf(actor, trade) !== null) return false;
  if (!(await holdsTrade(db(), null, trade, input))) return false;
  return (await takeThrottledAttempt(`report.hold:ip:${placeOf(actor)}`, strangerHoldLimit, at)).ok;
}

/** The party who reports; null for a stranger. */
function partyOf(actor: Actor, trade: Trade): number | null {
  return actor.kind === "user" && sideOf(trade, actor.userId) !== undefined ? actor.userId : null;
}

/** True if a report by this party, or for null by a stranger, puts the trade on hold. */
async function holdsTrade(
  exec: Executor,
  party: number | null,
  trade: Trade,
  { happened }: ReportCause,
): Promise<boolean> {
  if (!reasonsThatHold.includes(happened) || trade.held <= 0) return false;
  return !(await hasHeld(exec, trade, party));
}

/** True if this party, or for null any stranger, has put the trade on hold by a report before. */
async function hasHeld(
  exec: Executor,
  { id, buyerId, sellerId }: Trade,
  party: number | null,
): Promise<boolean> {
  const stranger = or(
    sql`${reportsTable.reporterId} IS NULL`,
    and(ne(reportsTable.reporterId, buyerId), ne(reportsTable.reporterId, sellerId)),
  );
  const by = party === null ? stranger : eq(reportsTable.reporterId, party);
  return (
    (await exec.$count(reportsTable, and(eq(reportsTable.tradeId, id), eq(reportsTable.held, true), by))) > 0
  );
}
