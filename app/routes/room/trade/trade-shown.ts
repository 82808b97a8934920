import { bankAppRank, bankLogoPath, findBankApp, isSandboxServing } from "#modules/payments";
import type { InfoExchange, TradeView } from "#views/escrow";
import { paths } from "../../../paths.ts";
import type { PartyContact, PaymentQr, TradeShown } from "../../../ui/trade/types.ts";

/** A payer whose payment is unconfirmed for this long after the first QR code is asked to contact support. */
const lateAfterMs = 10 * 60_000;

/** A trade as its cards show it to one of its parties. */
export function shownTrade(trade: TradeView): TradeShown {
  const { buyer, seller } = buildContacts(trade.infoExchange);
  return {
    id: trade.id,
    code: trade.transactionCode,
    status: trade.status,
    goods: trade.goods,
    description: trade.description,
    amount: trade.amount,
    fee: trade.serviceFee,
    gross: trade.grossAmount,
    net: trade.netAmount,
    toSeller: trade.due.payoutAmount ?? trade.netAmount,
    payoutSent: trade.due.payoutSent,
    refund: trade.due.refund,
    refundAccount: trade.refundAccount,
    feePayer: trade.feePayer,
    booked: trade.paidAmount,
    held: trade.heldAmount,
    refundable: trade.refundAmount,
    handedOver: trade.handedOverAt !== null,
    handOverNote: trade.handOverNote,
    receivedOtherwiseAt: trade.receivedOtherwiseAt,
    endReason: trade.endReason,
    over: trade.endedAt !== null,
    turn: trade.turn,
    standing: trade.standing,
    clocks: trade.clocks,
    can: trade.can,
    qr: qrOf(trade),
    checkedAt: trade.paymentCheckedAt,
    mine: trade.role === "buyer" ? buyer : seller,
    theirs: trade.role === "buyer" ? seller : buyer,
    vault: trade.vault,
    cancelAsked: trade.cancellationRequests,
    infoOpen: trade.infoExchange.available || hasSharedDetails(trade.infoExchange),
    qrAsked: trade.invoiceId !== null,
    heldForChecking: trade.heldForChecking,
    tradeChecked: trade.tradeChecked,
    onHold: trade.onHold,
    late: isLate(trade),
    unavailable: trade.unavailable,
    dispute: disputeOf(trade),
    names: { buyer: trade.buyer.displayName, seller: trade.seller.displayName },
    confirmed: { buyer: trade.confirmations.buyer, seller: trade.confirmations.seller },
  };
}

/** Whether either party has shared something, even if it was erased since. */
function hasSharedDetails(exchange: InfoExchange): boolean {
  const { buyerInfo, sellerInfo, buyerInfoErased, sellerInfoErased } = exchange;
  return buyerInfo !== null || sellerInfo !== null || buyerInfoErased || sellerInfoErased;
}

/** The QR for the remaining amount; one for another amount, as after a part payment, would make the buyer pay too much. */
function qrOf({ invoice, remainingAmount }: TradeView): TradeShown["qr"] {
  if (invoice?.qrImageUrl == null || invoice.amount !== remainingAmount) return null;
  return {
    image: invoice.qrImageUrl,
    expiresAt: invoice.expiresAt,
    expired: invoice.expired,
    links: listBankApps(invoice.bankLinks),
    sandboxPage: isSandboxServing() ? paths.sandboxPay(invoice.invoiceId) : null,
  };
}

/** The links of known apps, those with the most customers first; their names are Midman's own, never the provider's text. */
function listBankApps(links: readonly { link: string }[]): PaymentQr["links"] {
  return links
    .flatMap(({ link }) => {
      const app = findBankApp(link);
      return app === undefined ? [] : { ...app, link, logo: bankLogoPath(app.scheme) };
    })
    .sort((one, other) => bankAppRank(one) - bankAppRank(other));
}

function disputeOf({ dispute }: TradeView): TradeShown["dispute"] {
  if (dispute === null) return null;
  const { openedBy, openedAt, outcome, mediator, statements } = dispute;
  return { openedBy, openedAt, outcome, mediator: mediator?.displayName ?? null, statements };
}

function isLate({ steps, remainingAmount, serverTime }: TradeView): boolean {
  const since = steps.find(({ step }) => step === "payment_initiated")?.completedAt;
  return remainingAmount > 0 && since != null && Date.parse(serverTime) - Date.parse(since) >= lateAfterMs;
}

const emptyBankAccount = { accountName: null, bankName: null, accountNumber: null, iban: null };

function buildContacts(exchange: InfoExchange): { buyer: PartyContact; seller: PartyContact } {
  const { buyerInfo, sellerInfo } = exchange;
  return {
    buyer: {
      ...emptyBankAccount,
      accountName: buyerInfo?.name ?? null,
      phoneNumber: buyerInfo?.phoneNumber ?? null,
      email: buyerInfo?.email ?? null,
      info: buyerInfo?.notes ?? null,
      erased: exchange.buyerInfoErased,
      confirmed: exchange.buyerConfirmed,
      version: exchange.buyerInfoVersion,
    },
    seller: {
      accountName: sellerInfo?.accountName ?? null,
      bankName: sellerInfo?.bankName ?? null,
      accountNumber: sellerInfo?.accountNumber ?? null,
      iban: sellerInfo?.iban ?? null,
      phoneNumber: sellerInfo?.phoneNumber ?? null,
      email: sellerInfo?.email ?? null,
      info: sellerInfo?.notes ?? null,
      erased: exchange.sellerInfoErased,
      confirmed: exchange.sellerConfirmed,
      version: exchange.sellerInfoVersion,
    },
  };
}
