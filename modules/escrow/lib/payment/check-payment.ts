import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import type { AuditActor } from "#modules/audit";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { checkInvoices, isClearedByProvider, type ProviderReport, recordPayments } from "#modules/payments";
import { requireParty } from "../core/authorization.ts";
import { lockTrade } from "../core/load-trade.ts";
import { refuseAction, runAtomically, type TradeRefusal, type TradeResult } from "../core/outcomes.ts";
import type { NoPartyAccess } from "../core/party-access.ts";
import type { Trade, Who } from "../machine/trade-types.ts";
import { checkAgain, checkLater } from "./check-later.ts";
import { type BookingRefusal, followBooking, sumOf } from "./follow-booking.ts";
import { findingOf, type PaymentFinding } from "./payment-finding.ts";

/** Why the provider is asked. It decides who counts as the giver of the command. */
export type Cause = "buyer" | "callback" | "reconciler" | "clock" | "renewal";

const giverByCause = {
  buyer: "buyer",
  callback: "provider",
  reconciler: "provider",
  clock: "clock",
  renewal: "clock",
} as const satisfies Record<Cause, Who>;
type GiverBy<By extends Cause> = (typeof giverByCause)[By];

type CheckedPayment = { ok: true; changed: boolean; trade: Trade; answer: ProviderReport };
export type CheckPaymentResult<By extends Cause> =
  | CheckedPayment
  | TradeRefusal<"TRANSACTION_NOT_FOUND" | "RECORD_ALTERED" | BookingRefusal<GiverBy<By>>>;

/**
 * Asks the provider about every invoice of a trade, outside any transaction. Then books new payments and moves the trade in one
 * transaction. Every way to a payment ends here, except the end of the payment window (`expirePayment`). Safe to repeat and to run in
 * parallel. No payment is lost: what the trade does not owe goes to suspense with a refund due. Invoices that the one-minute limit left out
 * are asked about later by a job. `force` ignores that limit: the check has a reason of its own (a callback, Verify, an end). While a hold
 * waits for the provider's answer a job repeats the check, unless `repeats` is false because the caller repeats it. Refuses
 * TRANSACTION_NOT_FOUND, and PAYMENT_NOT_REQUESTED to a buyer whose trade never had an invoice.
 */
export async function checkPayment<By extends Cause>(
  id: number,
  cause: By,
  how: { force?: boolean; by?: AuditActor; repeats?: boolean } = {},
): Promise<CheckPaymentResult<By>> {
  const at = currentTime();
  const giver: GiverBy<By> = giverByCause[cause];
  const { force = cause !== "reconciler", by: doer = { userId: null }, repeats = true } = how;
  const answer = await checkInvoices(id, at, { force });
  return runAtomically(async (tx) => {
    const trade = await lockTrade(tx, id);
    if (trade === undefined) return refuseAction("TRANSACTION_NOT_FOUND");
    if (answer.retryAt !== null) await checkLater(tx, id, answer.retryAt, { quiet: giver === "clock" });
    const done = await bookAnswer(tx, trade, answer, giver, { at, by: doer });
    if (!done.ok) return done;
    if (repeats && done.trade.holds.some(isClearedByProvider)) await checkAgain(tx, id, at);
    return { ...done, answer };
  });
}

/** Books a provider's report for a locked trade and applies it to the trade's state, in the caller's transaction. */
export async function bookAnswer<Giver extends Who>(
  tx: Tx,
  trade: Trade,
  answer: ProviderReport,
  giver: Giver,
  changeContext: { at: Date; by: AuditActor },
): Promise<TradeResult | TradeRefusal<BookingRefusal<Giver>>> {
  const owed = trade.endedAt === null ? trade.gross : 0;
  const { endedAt } = trade;
  const booked = await recordPayments(tx, {
    reference: trade.id,
    rows: answer.rows,
    owed,
    endedAt,
    ...changeContext,
  });
  const { complete, failed } = answer;
  const booking = { ...booked, came: sumOf(booked.booked) };
  return followBooking(tx, trade, booking, { who: giver, complete, failed }, changeContext);
}

/** How many presses of Verify per minute reach the provider. Any further press gets the last reply. */
const verifyPace = { max: 6, seconds: 60 };

/** The result of the check, and what to tell the buyer about it. */
export type VerifyPaymentResult = CheckedPayment & { finding: PaymentFinding };

/**
 * The buyer asks whether the payment has arrived, and gets what was found. Refuses AUTH_REQUIRED, TRANSACTION_NOT_FOUND, BUYER_ONLY,
 * PAYMENT_NOT_REQUESTED.
 */
export async function verifyPayment(
  actor: Actor,
  id: number,
): Promise<
  | VerifyPaymentResult
  | NoPartyAccess
  | TradeRefusal<"BUYER_ONLY">
  | (CheckPaymentResult<"buyer"> & { ok: false })
> {
  const found = await requireParty(actor, id);
  if (!found.ok) return found;
  if (found.party !== "buyer") return refuseAction("BUYER_ONLY", found.trade);
  const pace = await takeThrottledAttempt(`escrow.verify:${id}`, verifyPace, currentTime());
  const checked = await checkPayment(id, "buyer", { force: pace.ok, by: auditAuthorOf(actor) });
  return checked.ok ? { ...checked, finding: await findingOf(checked.trade, checked.answer) } : checked;
}
