import type { z } from "zod";
import type { TradeRow } from "../../core/schema.ts";
import { type Party, unpaidStatuses } from "../../machine/trade-types.ts";
import type { transactionViewSchema } from "./responses.ts";

export type TransactionView = z.output<typeof transactionViewSchema>;

/** The columns from which a view is made; the machine's trade has them too. */
export type ViewedColumns = Omit<TradeRow, "disputedFrom">;

/** The view of a trade's row. */
export function transactionView(row: ViewedColumns): TransactionView {
  return {
    id: row.id,
    transactionCode: row.code,
    chatRoomId: row.roomId,
    buyerId: row.buyerId,
    sellerId: row.sellerId,
    amount: row.amount,
    serviceFee: row.fee,
    feePayer: row.feePayer,
    grossAmount: row.gross,
    netAmount: row.net,
    status: row.status,
    paymentMethod: "qpay",
    goods: row.goods,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    invoiceId: row.invoiceId,
    qrImageUrl:
      row.invoiceId !== null && unpaidStatuses.includes(row.status) ? qrImagePath(row.invoiceId) : null,
    buyerConfirmedComplete: row.buyerCompletedAt !== null,
    sellerConfirmedComplete: row.sellerCompletedAt !== null,
    buyerConfirmedCancel: row.buyerCancelAt !== null,
    sellerConfirmedCancel: row.sellerCancelAt !== null,
    handedOverAt: formatIso(row.handedOverAt),
    handOverNote: row.handOverNote,
    receivedOtherwiseAt: formatIso(row.receivedOtherwiseAt),
    endReason: row.endReason,
    endedAt: formatIso(row.endedAt),
  };
}

/** The path of an invoice's QR image for the trade's parties; the invoice itself gives the same. */
function qrImagePath(invoiceId: string): string {
  return `/qr/${invoiceId}.png`;
}

/** A time as ISO 8601; null if there is none. */
export function formatIso(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

/** The other party of a trade. */
export function otherSide(side: Party): Party {
  return side === "buyer" ? "seller" : "buyer";
}
