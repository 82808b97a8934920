import { db } from "#db/client";
import { people } from "#modules/identity";
import { needsFourEyes, type Payout, payerBanks } from "#modules/payments";
import { tradeRows } from "./load.ts";
import { destinationFor, type Sender, senderOf } from "./views.sender.ts";

/** Money that waits for a person. */
export type PayoutTask = Pick<
  Payout,
  | "id"
  | "kind"
  | "source"
  | "amount"
  | "fee"
  | "state"
  | "destination"
  | "fourEyes"
  | "approvedBy"
  | "referenceMissing"
> & {
  transactionId: number;
  transactionCode: string;
  recipient: { id: number; displayName: string } | null;
  /** Codes of the banks a refund's money came from. */
  payerBanks: string[];
  /** Who is making the transfer. */
  sender: Sender | null;
  dueAt: string;
  overdue: boolean;
};

/** Shows them to an administrator, earliest due first; `at` decides what is late. */
export async function payoutTasks(reader: number, found: readonly Payout[], at: Date): Promise<PayoutTask[]> {
  const rows = [...found].sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || a.id - b.id);
  const [of, banks, who] = await Promise.all([
    tradeRows(db(), [...new Set(rows.map((row) => row.reference))]),
    payerBanks(db(), rows),
    people(
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
    fourEyes: row.fourEyes || needsFourEyes(row.amount),
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
    dueAt: row.dueAt.toISOString(),
    overdue: row.dueAt <= at,
  }));
}
