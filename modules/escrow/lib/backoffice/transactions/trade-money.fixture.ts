import { sql } from "drizzle-orm";
import { runInTransaction } from "#db/client";
import { approvePayoutRecord, createDuePayout, markPayoutSent, recordPayments } from "#modules/payments";
import { ownerDatabase } from "../../../../../tests/support/database/test-database.ts";
import type { plantTrade } from "../../../../../tests/support/trades/planted-trades.ts";

/** The moment in which these trades begin; the rest is counted in minutes from it. */
export const at = new Date("2026-11-21T09:00:00.000Z");
export const minutes = (many: number) => new Date(at.getTime() + many * 60_000);
export const iso = (many: number) => minutes(many).toISOString();
/** The id of no person. */
export const nobody = 999_999;

export type Planted = Awaited<ReturnType<typeof plantTrade>>;

/** The result of a call that must not be refused. */
export async function given<T extends { ok: boolean }>(
  answer: Promise<T>,
): Promise<Extract<T, { ok: true }>> {
  const found = await answer;
  if (!found.ok) throw new Error(JSON.stringify(found));
  return found as Extract<T, { ok: true }>;
}

export const by = (userId: number) => ({ userId, relatedAdminIds: [userId], keepsRight: async () => true });
export const destination = {
  bankName: "Khan Bank",
  accountName: "Bat",
  accountNumber: "5012345678",
  iban: "MN12",
};

/** Makes someone a party of a trade, whatever the trade's status. */
export const seat = ({ id }: Planted, side: "buyer_id" | "seller_id", userId: number) =>
  ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`ALTER TABLE escrow.trades DISABLE TRIGGER keep_frozen`);
    await tx.execute(sql`UPDATE escrow.trades SET ${sql.identifier(side)} = ${userId} WHERE id = ${id}`);
    await tx.execute(sql`ALTER TABLE escrow.trades ENABLE TRIGGER keep_frozen`);
  });

/** Books a payment of 110,000 for a trade; returns the provider's id of it. */
export async function payIn(
  { id }: Planted,
  parts: { paidAt?: Date; amount?: number; payerBank?: string } = {},
) {
  const { paidAt = at, amount = 110_000, payerBank = "050000" } = parts;
  const ids = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID() };
  const row = { ...ids, amount, paidAt, payerBank, wallet: "Toki" };
  await runInTransaction((tx) =>
    recordPayments(tx, { reference: id, rows: [row], owed: 110_000, at: minutes(1) }),
  );
  return ids.providerPaymentId;
}

/** Makes the payout to a trade's seller due. */
export async function dueTo(planted: Planted): Promise<number> {
  const { id: reference, seller } = planted;
  const made = await runInTransaction((tx) =>
    createDuePayout(tx, {
      ...{ reference, kind: "payout", amount: 100_000, fee: 10_000, recipientId: seller.userId, destination },
      ...{ dueAt: minutes(180), at: minutes(2), by: { userId: null } },
    }),
  );
  if (!made.ok) throw new Error(made.code);
  return made.payout.id;
}

/** Approves and sends a payout, each at a given moment. */
export async function send(
  id: number,
  sender: number,
  { sentAt = minutes(4), reference = String(crypto.randomUUID()) } = {},
) {
  await runInTransaction(async (tx) => {
    await approvePayoutRecord(tx, { id, at: minutes(3), by: by(sender) });
    const sent = await markPayoutSent(tx, { id, bankReference: reference, at: sentAt, by: by(sender) });
    if (!sent.ok) throw new Error(sent.code);
  });
}
