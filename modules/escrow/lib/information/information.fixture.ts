import { sql } from "drizzle-orm";
import { db } from "#db/client";
import type { plantTrade } from "../../../../tests/support/trades/planted-trades.ts";
import type { BankInfoInput } from "../../forms.ts";
import { readInfoExchange } from "./view.ts";

/** The form of a seller's bank account. */
export const bank = (accountNumber = "5012345678"): BankInfoInput => ({
  infoType: "seller",
  accountName: "Bat Erdene",
  bankName: "Khan Bank",
  accountNumber,
  ibanNumber: undefined,
  phoneNumber: "99112233",
  email: "bat@example.mn",
});
/** The form of a buyer's contact details. */
export const contact: BankInfoInput = {
  infoType: "buyer",
  accountName: "Dorj",
  phoneNumber: "88112233",
  email: "dorj@example.mn",
};
/** The form of an account for a refund. */
export const refund = { accountName: "Dorj", bankName: "Golomt Bank", accountNumber: "1105123456" };

/** The exchange of information of a trade, as one party reads it. */
export async function exchangeOf(trade: Awaited<ReturnType<typeof plantTrade>>, side: "seller" | "buyer") {
  const seen = await readInfoExchange(trade[side], trade.id);
  if (!seen.ok) throw new Error(seen.code);
  return seen.exchange;
}

/** The codes of the room's notices, in order. */
export async function notices(roomId: number): Promise<string[]> {
  const rows = await db().execute<{ code: string }>(
    sql`SELECT code FROM rooms.messages WHERE room_id = ${roomId} ORDER BY seq`,
  );
  return rows.map((row) => row.code);
}

/** The entries of the audit log about a trade, as text. */
export async function audited(tradeId: number): Promise<string> {
  const rows = await db().execute<{ action: string; data: unknown }>(
    sql`SELECT action, data FROM audit.entries WHERE subject_kind = 'transaction' AND subject_id = ${String(tradeId)} ORDER BY id`,
  );
  return JSON.stringify(rows);
}
