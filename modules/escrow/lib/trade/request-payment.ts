import type { Actor } from "#modules/identity";
import type { CreateTradeInput } from "../../forms.ts";
import type { RefusalCode, TradeRefusal, TradeResult } from "../core/outcomes.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { createTrade } from "./create-trade.ts";

/** `qr`: null once the QR is there for both, else why the provider made none: the buyer then asks for it. */
export type RequestPaymentResult = TradeResult & { qr: RefusalCode | null };

/**
 * The seller's one press that asks for a payment: the trade begins and its first invoice is made, so that the QR is there for both
 * and the time to pay runs. Where the provider fails the request stays, without a QR. Refuses what `createTrade` refuses.
 */
export async function requestPayment(
  actor: Actor,
  input: CreateTradeInput,
): Promise<RequestPaymentResult | TradeRefusal> {
  const made = await createTrade(actor, input, { withQr: true });
  if (!made.ok) return made;
  const issued = await issueInvoice(actor, made.trade.id);
  if (issued.ok) return { ok: true, changed: made.changed, trade: issued.trade, qr: null };
  // Pressed twice: by the second time the QR may be the buyer's to renew.
  const qr = issued.code === "BUYER_ONLY" ? null : issued.code;
  return { ok: true, changed: made.changed, trade: made.trade, qr };
}
