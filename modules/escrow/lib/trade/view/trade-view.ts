import { eq } from "drizzle-orm";
import type { z } from "zod";
import { db } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import { currentTime } from "#db/clock";
import { type Actor, findPeople, type NotSignedIn, requireUser, restrictionOf } from "#modules/identity";
import { type Invoice, invoiceById, lastAskTime, payoutsOf, readReceivedAmount } from "#modules/payments";
import { memberRole } from "#modules/rooms";
import { requireParty } from "../../core/authorization.ts";
import { isId, type NoPartyAccess } from "../../core/party-access.ts";
import { tradesTable } from "../../core/schema.ts";
import { clocksOf, extensionsOf } from "../../deadlines/clock-view.ts";
import { findAwaitedExplanations, latestCase } from "../../disputes/dispute-cases.ts";
import { sharedInformation } from "../../information/progress.ts";
import { exchangeFor } from "../../information/view.ts";
import { isOnHold } from "../../machine/decision-helpers.ts";
import { calculateRefundable } from "../../machine/trade-money.ts";
import { type Party, type Trade, unpaidStatuses } from "../../machine/trade-types.ts";
import { isHeldByReport, isHeldForChecking } from "../../payment/payment-finding.ts";
import { recordsOf } from "../../vault/vault-records.ts";
import { vaultView } from "../../vault/view.ts";
import { listAllowedActions } from "./allowed-actions.ts";
import { dueOf, refundAccountOf } from "./due-date.ts";
import type { invoiceViewSchema, personViewSchema, tradeViewSchema } from "./responses.ts";
import { stepViews } from "./step-views.ts";
import { tradeProgressOf } from "./trade-progress.ts";
import { formatIso, transactionView } from "./transaction-view.ts";
import { turnOf } from "./turn.ts";

export type InvoiceView = z.output<typeof invoiceViewSchema>;
export type PersonView = z.output<typeof personViewSchema>;
export type TradeView = z.output<typeof tradeViewSchema>;

export type FoundTradeView = { ok: true; trade: TradeView };

/** A trade for one of its two parties. Refuses TRANSACTION_NOT_FOUND to anyone else. */
export async function readTrade(actor: Actor, tradeId: number): Promise<FoundTradeView | NoPartyAccess> {
  const found = await requireParty(actor, tradeId);
  return found.ok ? { ok: true, trade: await partyView(found.trade, found.party, currentTime()) } : found;
}

const roomNotFound = { ok: false, code: "CHAT_ROOM_NOT_FOUND" } as const;

/** The one trade of a room for its members, null before there is one. Refuses CHAT_ROOM_NOT_FOUND to outsiders. */
export async function tradeOfRoom(
  actor: Actor,
  roomId: number,
): Promise<{ ok: true; trade: TradeView | null } | NotSignedIn | typeof roomNotFound> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const role = isId(roomId) ? await memberRole(db(), roomId, user.member.userId) : null;
  if (role === null) return roomNotFound;
  const [row] = await idInRoom(db(), { roomId });
  if (row === undefined) return { ok: true, trade: null };
  const found = await readTrade(actor, row.id);
  if (found.ok) return found;
  // Only if the room was erased, or its roles changed, in between.
  return found.code === "TRANSACTION_NOT_FOUND" ? roomNotFound : { ...found, code: found.code };
}

const idInRoom = prepareQuery<{ roomId: number }>()("trade_in_room", (exec, value) =>
  exec
    .select({ id: tradesTable.id })
    .from(tradesTable)
    .where(eq(tradesTable.roomId, value("roomId"))),
);

async function partyView(found: Trade, role: Party, at: Date): Promise<TradeView> {
  const [payouts, paid, shared, exchange, invoice, askedAt, persons, vault, extended, dispute, awaited] =
    await Promise.all([
      payoutsOf(db(), found.id),
      readReceivedAmount(db(), found.id),
      sharedInformation(db(), found.id),
      exchangeFor(db(), found, role),
      findPayableInvoice(found, at),
      unpaidStatuses.includes(found.status) ? lastAskTime(db(), found.id) : null,
      personsOf(found, at),
      recordsOf(db(), found),
      extensionsOf(db(), found.id),
      found.dispute === null ? null : latestCase(db(), found.id),
      found.status === "disputed" ? findAwaitedExplanations(db(), [found.id], at) : null,
    ]);
  return {
    ...transactionView(found),
    role,
    ...persons,
    paidAmount: paid,
    remainingAmount: unpaidStatuses.includes(found.status) ? Math.max(0, found.gross - paid) : 0,
    heldAmount: found.held,
    refundAmount: calculateRefundable(found),
    confirmations: {
      payment: formatIso(found.confirmedAt),
      buyer: formatIso(found.buyerCompletedAt),
      seller: formatIso(found.sellerCompletedAt),
    },
    cancellationRequests: {
      buyer: formatIso(found.buyerCancelAt),
      seller: formatIso(found.sellerCancelAt),
    },
    due: dueOf(payouts),
    refundAccount: refundAccountOf(payouts, role),
    turn: turnOf(found, payouts, awaited?.get(found.id)),
    standing: tradeProgressOf(found, payouts),
    can: listAllowedActions(found, role, { sharedInformation: shared, payouts, vault }, at),
    clocks: clocksOf(found.deadlines, at, extended),
    serverTime: at.toISOString(),
    invoice,
    paymentCheckedAt: formatIso(askedAt),
    heldForChecking: isHeldForChecking(found.holds),
    tradeChecked: isHeldByReport(found.holds),
    steps: stepViews(found.steps),
    infoExchange: exchange,
    vault: vaultView(vault, at),
    dispute,
    onHold: isOnHold(found),
    hidden: found.hiddenAt !== null,
  };
}

async function findPayableInvoice(found: Trade, at: Date): Promise<InvoiceView | null> {
  if (found.invoiceId === null || !unpaidStatuses.includes(found.status)) return null;
  const invoice = await invoiceById(db(), found.invoiceId);
  return invoice === null || invoice.state !== "open" ? null : invoiceView(invoice, at);
}

/** The view of an invoice at a time. */
export function invoiceView(invoice: Invoice, at: Date): InvoiceView {
  return {
    invoiceId: invoice.id,
    amount: invoice.amount,
    qrImageUrl: invoice.qrImageUrl,
    shortUrl: invoice.shortUrl,
    bankLinks: invoice.bankLinks,
    expiresAt: invoice.expiresAt.toISOString(),
    expired: invoice.expiresAt <= at,
  };
}

/** The two people of a trade, and which of them cannot answer for now. A deleted person keeps the id and loses the name. */
async function personsOf(of: { buyerId: number; sellerId: number }, at: Date) {
  const known = await findPeople(db(), [of.buyerId, of.sellerId]);
  const view = (id: number): PersonView => {
    const { username = "", displayName = "", avatarInitials = "" } = known.get(id) ?? {};
    return { id, username, displayName, avatarInitials };
  };
  const isUnavailable = (id: number) => {
    const person = known.get(id);
    return person !== undefined && restrictionOf(person, at)?.kind === "suspend";
  };
  const unavailable: Party[] = [
    ...(isUnavailable(of.buyerId) ? (["buyer"] as const) : []),
    ...(isUnavailable(of.sellerId) ? (["seller"] as const) : []),
  ];
  return { buyer: view(of.buyerId), seller: view(of.sellerId), unavailable };
}
