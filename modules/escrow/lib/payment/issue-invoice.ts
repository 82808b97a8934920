import { db, type Executor } from "#db/client";
import { currentTime } from "#db/clock";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { type Actor, auditAuthorOf } from "#modules/identity";
import {
  cancelInvoices,
  countInvoices,
  type Invoice,
  liveInvoice,
  openInvoice,
  reserveInvoice,
} from "#modules/payments";
import { applyCommand, type CommandRefusal } from "../core/apply-command.ts";
import { type PartyGrant, requireLockedParty, requireParty } from "../core/authorization.ts";
import { refuseAction, runAtomically, type TradeRefusal, type TradeResult } from "../core/outcomes.ts";
import type { NoPartyAccess } from "../core/party-access.ts";
import { decideCommand } from "../machine/decide.ts";
import type { CommandOf, GivenBy, Party, Trade } from "../machine/trade-types.ts";
import { type CheckPaymentResult, checkPayment } from "./check-payment.ts";
import { invoiceDescription } from "./invoice-description.ts";
import { withInvoicingLease } from "./invoicing-lease.ts";

export type IssueInvoiceResult = { ok: true; changed: boolean; trade: Trade; invoice: Invoice };

/** Why the machine refuses a new invoice. */
type InvoiceRejection = CommandRefusal<GivenBy<Party, CommandOf<"issue_invoice">>>;
/** Why the earlier invoices of a trade cannot be closed. */
type CloseRefusal = CheckPaymentResult<"renewal"> & { ok: false };
type IssueRefusal =
  | NoPartyAccess
  | ThrottleRefusal
  | CloseRefusal
  | TradeRefusal<
      | InvoiceRejection
      | Extract<Awaited<ReturnType<typeof openInvoice>>, { ok: false }>["code"]
      | "INVOICING_BUSY"
      | "TOO_MANY_INVOICES"
      | "RECORD_ALTERED"
    >;

/** New invoices of one trade: each costs two checks and one cancellation at the provider. */
const newInvoiceLimit = { max: 10, seconds: 600 };

/** Most invoices that one trade may ever have: each is checked at every callback, Verify and renewal, and at the end. */
const MOST = 30;

/** Presses per minute of one person that may wait, in this process: each caller that waits queries the database. */
const pressBucket = createTokenBucket<number>(30, 60);

/**
 * Returns the invoice to pay now: the live one, or a new one if there is none, its ten minutes are over, it is for another amount, or
 * `fresh` asks for another. Before a new one is created, the live one is checked, cancelled and checked again, because it may have been
 * paid. Concurrent callers get the same invoice. The seller's request creates the first one, and both parties may read the live one; only
 * the buyer, who alone knows whether they are paying, may ask for another (BUYER_ONLY). Refuses AUTH_REQUIRED, TRANSACTION_NOT_FOUND,
 * TRADE_OVERTAKEN, WINDOW_OVER, THROTTLED, TOO_MANY_INVOICES (the last one stays payable), PROVIDER_UNAVAILABLE (a retry opens the same
 * row), PROVIDER_REFUSED, INVOICE_CLOSED and INVOICING_BUSY.
 */
export async function issueInvoice(
  actor: Actor,
  id: number,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<IssueInvoiceResult | IssueRefusal> {
  const seen = await requireParty(actor, id);
  if (!seen.ok) return seen;
  const shown = await liveInvoice(db(), id);
  const isLive = shown !== null && !fresh && isShown(shown, seen.trade, currentTime());
  const may = mayIssueInvoice(seen, currentTime(), isLive);
  if (!may.ok) return may;
  if (isLive) return { ok: true, changed: false, trade: seen.trade, invoice: shown };
  const wait = pressBucket.take(seen.member.userId, currentTime());
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait };
  return withInvoicingLease(id, () => issueUnderLease(actor, id, fresh ? (shown?.id ?? null) : null));
}

/** Runs under the trade's invoicing lease. `replace` is the invoice that the caller saw and wants replaced. */
async function issueUnderLease(
  actor: Actor,
  id: number,
  replace: string | null,
): Promise<IssueInvoiceResult | IssueRefusal> {
  const seen = await requireParty(actor, id);
  if (!seen.ok) return seen;
  const live = await liveInvoice(db(), id);
  const isLive = live !== null && live.id !== replace && isPayable(live, seen.trade, currentTime());
  const may = mayIssueInvoice(seen, currentTime(), isLive);
  if (!may.ok) return may;
  if (isLive) return openReservedInvoice(actor, id, live.id);
  const more = await mayHaveAnother(db(), seen.trade);
  if (!more.ok) return more;
  const turn = await takeThrottledAttempt(`escrow.invoice:${id}`, newInvoiceLimit, currentTime());
  if (!turn.ok) return turn;
  const settled = await closeEarlierInvoices(id, actor);
  if (!settled.ok) return settled;
  const reserved = await reserveTradeInvoice(actor, id);
  return reserved.ok ? openReservedInvoice(actor, id, reserved.invoiceId) : reserved;
}

/** Whether a trade may have one more invoice. Refuses TOO_MANY_INVOICES. */
export async function mayHaveAnother(
  exec: Executor,
  trade: Trade,
): Promise<{ ok: true } | TradeRefusal<"TOO_MANY_INVOICES">> {
  return (await countInvoices(exec, trade.id)) < MOST
    ? { ok: true }
    : refuseAction("TOO_MANY_INVOICES", trade);
}

/**
 * Asks the provider about every invoice that the trade had, cancels the live one, and asks again, because it may have been paid in between.
 * If none is live, an invoice that was asked about within the last minute answers from that reply, and a job asks after the minute; with
 * `force` the provider is asked all the same.
 */
export async function closeEarlierInvoices(
  id: number,
  actor: Actor,
  { force: forced = false }: { force?: boolean } = {},
): Promise<{ ok: true } | CloseRefusal> {
  const force = forced || (await liveInvoice(db(), id)) !== null;
  const asked = await checkPayment(id, "renewal", { force, by: auditAuthorOf(actor) });
  if (!asked.ok) return asked;
  if (asked.answer.asOf === null && asked.answer.complete) return { ok: true };
  const { ended, withdrawn, paid } = await cancelInvoices(id);
  if (ended + withdrawn + paid === 0) return { ok: true };
  const again = await checkPayment(id, "renewal", { by: auditAuthorOf(actor) });
  return again.ok ? { ok: true } : again;
}

/** Writes the invoice's row first, under the trade's lock, so that the provider never has an invoice that Midman does not know. */
function reserveTradeInvoice(
  actor: Actor,
  id: number,
): Promise<{ ok: true; invoiceId: string } | IssueRefusal> {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const may = mayIssueInvoice(found, at, false);
    if (!may.ok) return may;
    const { trade } = found;
    const more = await mayHaveAnother(tx, trade);
    if (!more.ok) return more;
    const amount = trade.gross - trade.held;
    const made = await reserveInvoice(tx, {
      reference: id,
      amount,
      description: invoiceDescription(trade),
      at,
    });
    return { ok: true, ...made };
  });
}

/** Opens the invoice at the provider, outside any transaction, and shows it to the parties. */
async function openReservedInvoice(
  actor: Actor,
  id: number,
  invoiceId: string,
): Promise<IssueInvoiceResult | IssueRefusal> {
  const opened = await openInvoice(invoiceId);
  if (!opened.ok) return refuseAction(opened.code);
  const { invoice } = opened;
  const shown = await showInvoice(actor, id, invoice);
  return shown.ok ? { ...shown, invoice } : shown;
}

function showInvoice(actor: Actor, id: number, invoice: Invoice): Promise<TradeResult | IssueRefusal> {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party } = found;
    const live = await liveInvoice(tx, id);
    if (live?.id !== invoice.id) return refuseAction("INVOICE_CLOSED", trade);
    const given = { kind: "issue_invoice", invoiceId: invoice.id, who: party } as const;
    const extra = { invoiceId: invoice.id, qrImageUrl: invoice.qrImageUrl ?? "" };
    return applyCommand(tx, trade, given, { at, by: auditAuthorOf(actor), extra });
  });
}

/** Whether the machine would accept a new invoice now. The live one (`isLive`) is also for a party that may not have another. */
function mayIssueInvoice(
  { trade, party }: PartyGrant,
  at: Date,
  isLive: boolean,
): { ok: true } | TradeRefusal<InvoiceRejection> {
  const decision = decideCommand(trade, { kind: "issue_invoice", invoiceId: "", who: party }, at);
  return decision.ok || (isLive && decision.code === "BUYER_ONLY") ? { ok: true } : decision;
}

/** True for an invoice that is reserved or has not expired, and is for the amount owed. */
function isPayable(invoice: Invoice, trade: Trade, at: Date): boolean {
  return (
    invoice.amount === trade.gross - trade.held && (invoice.state === "reserved" || invoice.expiresAt > at)
  );
}

function isShown(invoice: Invoice, trade: Trade, at: Date): boolean {
  return trade.invoiceId === invoice.id && isPayable(invoice, trade, at);
}
