import { db } from "#db/client";
import { findPeople } from "#modules/identity";
import {
  destinationDigest,
  exceedsFourEyes,
  openHoldReasonsOf,
  outgoingTotals,
  type Payout,
  payerBanks,
} from "#modules/payments";
import { tradeRows } from "../../core/load-trade.ts";
import { destinationFor, senderOf } from "../payouts/recipient.ts";
import type { PayoutTask } from "../payouts/responses.ts";

/** Payouts and refunds as an administrator sees them, earliest due first; `at` decides what is overdue. */
export async function payoutTasks(reader: number, found: readonly Payout[], at: Date): Promise<PayoutTask[]> {
  const rows = [...found].sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || a.id - b.id);
  const references = [...new Set(rows.map((row) => row.reference))];
  const [of, totals, banks, holds, who] = await Promise.all([
    tradeRows(db(), references),
    outgoingTotals(db(), references),
    payerBanks(db(), rows),
    openHoldReasonsOf(db(), references),
    findPeople(
      db(),
      rows.flatMap(({ recipientId, claimedBy }) => [recipientId ?? [], claimedBy ?? []].flat()),
    ),
  ]);
  const codes = new Map(of.map((row) => [row.id, row.code]));
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    source: row.source,
    amount: row.amount,
    fee: row.fee,
    state: row.state,
    destination: destinationFor(reader, row),
    destinationDigest: destinationDigest(row.destination),
    fourEyes: row.fourEyes || exceedsFourEyes(totals.get(row.reference) ?? 0),
    approvedBy: row.approvedBy,
    referenceMissing: row.referenceMissing,
    transactionId: row.reference,
    transactionCode: codes.get(row.reference) ?? "",
    recipient:
      row.recipientId === null
        ? null
        : { id: row.recipientId, displayName: who.get(row.recipientId)?.displayName ?? "" },
    payerBanks: banks.get(row.id) ?? [],
    sender: senderOf(row, who),
    onHold: holds.has(row.reference),
    dueAt: row.dueAt.toISOString(),
    overdue: row.dueAt <= at,
  }));
}
