import { createHash } from "node:crypto";
import { and, eq, ne, or, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { throttle } from "#db/throttle";
import { type Actor, neighbourhood } from "#modules/identity";
import { openHolds } from "#modules/payments";
import type { ReportInput } from "../../forms.ts";
import { sideOf } from "../access.ts";
import type { Trade } from "../machine/types.ts";
import { reports } from "./schema.ts";

/** Trades that strangers of one neighbourhood of addresses put on hold in a day. */
const strangers = { max: 3, seconds: 24 * 3_600 };

/** Of what has happened, that by which money goes to whom it does not belong to. */
const ofMoney: readonly ReportInput["happened"][] = ["fraud", "other_payment", "impersonation"];

/**
 * Puts a trade on hold because of a report, until an administrator has looked at it; true if it did. It takes a report of fraud, and money
 * that Midman still holds: of what was sent nothing is stopped, and of what was not paid nothing needs to be. So that a report is no weapon,
 * a party does so once in a trade, and strangers (who know its code, such as somebody who was told to pay for something else) once
 * altogether in a trade, and in three trades a day from one neighbourhood. Every further report reaches administrators, who may hold the
 * trade themselves. The caller holds the trade.
 */
export async function holdForReport(
  tx: Tx,
  actor: Actor,
  { trade, number, input }: { trade: Trade; number: string; input: Pick<ReportInput, "happened"> },
  at: Date,
): Promise<boolean> {
  if (!ofMoney.includes(input.happened) || trade.held <= 0) return false;
  const party = actor.kind === "user" && sideOf(trade, actor.userId) !== undefined ? actor.userId : null;
  if (await hasHeld(tx, trade, party)) return false;
  if (party === null) {
    const place = createHash("sha256").update(neighbourhood(actor.ip)).digest("base64url");
    if (!(await throttle(`report.hold:ip:${place}`, strangers, at)).ok) return false;
  }
  const subject = party === null ? "report:stranger" : `report:party:${party}`;
  const hold = { reference: trade.id, reason: "FRAUD_REPORT" as const, subject, facts: { note: number } };
  await openHolds(tx, [{ ...hold, figures: number }], at);
  return true;
}

/** Whether this party, or with null any stranger, has put the trade on hold by a report before. */
async function hasHeld(tx: Tx, { id, buyerId, sellerId }: Trade, party: number | null): Promise<boolean> {
  const stranger = or(
    sql`${reports.reporterId} IS NULL`,
    and(ne(reports.reporterId, buyerId), ne(reports.reporterId, sellerId)),
  );
  const by = party === null ? stranger : eq(reports.reporterId, party);
  return (await tx.$count(reports, and(eq(reports.tradeId, id), eq(reports.held, true), by))) > 0;
}
