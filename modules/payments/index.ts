import "./lib/proof/sealed-halt.ts";
import "./lib/proof/sealed-journals.ts";

export { ask } from "./lib/ask.ts";
export { bookByHand } from "./lib/book.hand.ts";
export { book } from "./lib/book.ts";
export { checkCallback } from "./lib/callback.ts";
export { eraseOldWords, erasePersonal } from "./lib/erase-personal.ts";
export { outgoingByDay } from "./lib/figures.ts";
export { forgetRecipient } from "./lib/forget-recipient.ts";
export {
  type HaltState,
  haltAfterRestore,
  haltMoney,
  haltState,
  moneyHalted,
  resumeMoney,
} from "./lib/halt.ts";
export { holdUnlessPaymentKnown } from "./lib/holds/announced.ts";
export { followHoldsWith } from "./lib/holds/follow.ts";
export {
  holdById,
  holdsOf,
  holdsWaiting,
  markHoldsTold,
  openHoldReasons,
  openHoldReasonsOf,
} from "./lib/holds/list.ts";
export { bookHeldRow, undoHeldPayment } from "./lib/holds/money.ts";
export { type NewHold, openHolds } from "./lib/holds/open.ts";
export {
  clearsItself,
  endsWithItsRecord,
  type HoldFacts,
  type HoldOutcome,
  type HoldReason,
  type HoldResolution,
  holdReasons,
  isOfPaidPayment,
  mayBeTakenBack,
} from "./lib/holds/reasons.ts";
export { needsSecondPerson, resolutionsOf, resolveHold } from "./lib/holds/resolve.ts";
export type { Hold } from "./lib/holds/schema.ts";
export { cancelInvoices } from "./lib/invoices.cancel.ts";
export { openInvoice } from "./lib/invoices.open.ts";
export { QR_MS, reserveInvoice } from "./lib/invoices.reserve.ts";
export { countInvoices, invoiceById, invoiceQrPng, invoices, liveInvoice } from "./lib/invoices.ts";
export { held, received, receivedFor, suspenseOf } from "./lib/ledger.balances.ts";
export {
  alarmLedgerWith,
  checkLedgerSoon,
  type LedgerCheck,
  lastLedgerCheck,
  ledgerStanding,
} from "./lib/ledger.check.ts";
export { journalsOf } from "./lib/ledger.journals.ts";
export { payerBanks } from "./lib/payer-banks.ts";
export { paymentsOf } from "./lib/payments-of.ts";
export { isApprovalLost, needsSecondApproval, payableFrom } from "./lib/payouts.approval.ts";
export { approve } from "./lib/payouts.approve.ts";
export { claim } from "./lib/payouts.claim.ts";
export { markDone, type Witness } from "./lib/payouts.done.ts";
export { createDue, setDestination } from "./lib/payouts.due.ts";
export { exceedsFourEyes, notAnother, outgoingTotal, outgoingTotals } from "./lib/payouts.foureyes.ts";
export { putOffDue } from "./lib/payouts.put-off.ts";
export {
  type Outgoing,
  payoutList,
  payoutQueue,
  type Suspended,
  sentBetween,
  suspenseList,
} from "./lib/payouts.queue.ts";
export { refundsOf } from "./lib/payouts.refunds.ts";
export { reportSent } from "./lib/payouts.report.ts";
export { giveBankReference, markSent } from "./lib/payouts.send.ts";
export { destinationDigest } from "./lib/payouts.shown.ts";
export {
  lastFour,
  type PayoutRefusal,
  type Person,
  payout,
  payoutsOf,
  type Stepped,
  stillToSend,
} from "./lib/payouts.ts";
export { markUnknown, type Resolution, resolveUnknown } from "./lib/payouts.unknown.ts";
export { voidApproval, voidLive } from "./lib/payouts.void.ts";
export { HaltAltered } from "./lib/proof/sealed-halt.ts";
export { sandboxListensAt, sandboxServes } from "./lib/qpay/access.ts";
export { providerFails } from "./lib/qpay/client.ts";
export {
  difference,
  differencesOf,
  lastReconciliation,
  openDays,
  openDifferences,
  reconciliations,
  resolveDifference,
  unshownByHand,
} from "./lib/reconcile.list.ts";
export { reconcile } from "./lib/reconcile.ts";
export { mixedMoney } from "./lib/sandbox/mixed.ts";
export { sandboxInvoice } from "./lib/sandbox/page.ts";
export { sandboxPay } from "./lib/sandbox/pay.ts";
export type { Payout, PayoutState } from "./lib/schema.money.ts";
export type { Cause, Difference, Run } from "./lib/schema.reconcile.ts";
export type { Settlement } from "./lib/schema.settlements.ts";
export { settlementsLaidAside, settlementsRecorded, settlementsWaiting } from "./lib/settlement.list.ts";
export {
  laySettlementAside,
  lockSettlement,
  proposeSettlement,
  recordSettlement,
  type Settled,
} from "./lib/settlement.ts";
export { startPayments } from "./lib/start.ts";
export type { Answer, AskProblem, BankLink, Invoice } from "./lib/types.ts";
export { type EscrowAccount, escrowAccounts } from "./lib/verify.accounts.ts";
export {
  type Problem,
  prove as verifyLedgerWithin,
  registerLedgerProof,
  type Sums,
  verifyLedger,
} from "./lib/verify.ts";
