import type { Actor } from "#modules/identity";
import type { CreateTradeInput } from "../../forms.ts";
import type { RefusalCode, TradeResult } from "../core/outcomes.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { createTrade } from "./create-trade.ts";

/** `qr`: null once both parties can see the QR code, otherwise why it was not created: the buyer then asks for it. */
export type RequestPaymentResult = TradeResult & { qr: RefusalCode | null };

/**
 * The seller requests a payment in one step: the trade begins and its first invoice is created, so that both parties see the QR code and
 * the payment window runs. If the provider fails, the request stays, without a QR code. Refuses what `createTrade` refuses.
 */
export async function requestPayment(
  actor: Actor,
  input: CreateTradeInput,
): Promise<RequestPaymentResult | (Awaited<ReturnType<typeof createTrade>> & { ok: false })> {
  const made = await createTrade(actor, input, { withQr: true });
  if (!made.ok) return made;
  const issued = await issueInvoice(actor, made.trade.id);
  if (issued.ok) return { ok: true, changed: made.changed, trade: issued.trade, qr: null };
  // The request was sent twice: by the second time, only the buyer may renew the QR code.
  const qr = issued.code === "BUYER_ONLY" ? null : issued.code;
  return { ok: true, changed: made.changed, trade: made.trade, qr };
}
