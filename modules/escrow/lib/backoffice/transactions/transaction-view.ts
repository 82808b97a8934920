import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, findPeople, type NotAdmin, requireAdmin } from "#modules/identity";
import {
  destinationDigest,
  exceedsFourEyes,
  type HoldReason,
  type Invoice,
  listInvoices,
  outgoingTotal,
  type Payout,
  payerBanks,
  payoutsOf,
  readReceivedAmount,
} from "#modules/payments";
import { loadTrade } from "../../core/load-trade.ts";
import { isId, sideOf } from "../../core/party-access.ts";
import { type Clock, clocksOf } from "../../deadlines/clock-view.ts";
import { type CaseView, casesOf } from "../../disputes/dispute-cases.ts";
import { exchangeFor, type InfoExchange } from "../../information/view.ts";
import { type StepView, stepViews } from "../../trade/view/step-views.ts";
import { type TradeProgress, tradeProgressOf } from "../../trade/view/trade-progress.ts";
import { type TransactionView, transactionView } from "../../trade/view/transaction-view.ts";
import { recordsOf } from "../../vault/vault-records.ts";
import { type VaultView, vaultView } from "../../vault/view.ts";
import {
  type ManualPaymentView,
  noManualPayments,
  viewManualPayments,
} from "../manual-payments/proposals.ts";
import { destinationFor } from "../payouts/recipient.ts";
import { type Decisions, decisionsFor } from "./decisions.ts";

/** A trade in a list, with its progress. */
export type ListedTrade = TransactionView & { standing: TradeProgress };

/** A party of a trade, with what administrators need to know of them. */
export type AdminPerson = {
  id: number;
  username: string;
  displayName: string;
  avatarInitials: string;
  email: string | null;
  phoneNumber: string | null;
  bankAccount: string | null;
};

/** A trade with all that decides about its money. */
export type AdminTradeView = {
  transaction: ListedTrade;
  buyer: AdminPerson;
  seller: AdminPerson;
  steps: StepView[];
  infoExchange: InfoExchange;
  /** In the ledger, in ₮: what is held now, and what was received in total. */
  heldAmount: number;
  receivedAmount: number;
  /**
   * `fourEyes`: approver and sender must differ; `payerBanks`: codes of the banks a refund's money came from; `destinationDigest`:
   * identifies the destination that was shown, for calls that approve or settle.
   */
  payouts: Array<Payout & { payerBanks: string[]; destinationDigest: string }>;
  invoices: Invoice[];
  clocks: Clock[];
  disputes: CaseView[];
  /** Why no ending and no outgoing step takes effect; empty if the trade is not on hold. */
  holds: readonly HoldReason[];
  /** When the vault was sealed and opened; no administrator can read its contents. */
  vault: VaultView;
  /** Empty if the reader is a party. */
  byHand: ManualPaymentView;
  decisions: Decisions;
  hiddenAt: string | null;
  /** When the trade's messages and the details shared in it were erased, at the end of retention. */
  erasedAt: string | null;
  /** The reader is a party: an administrator never acts on a trade of their own. */
  ownTrade: boolean;
  serverTime: string;
};

/** Reads one trade for administrators, hidden or not. */
export async function adminTrade(
  actor: Actor,
  tradeId: number,
): Promise<{ ok: true; detail: AdminTradeView } | NotAdmin | { ok: false; code: "TRANSACTION_NOT_FOUND" }> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const trade = isId(tradeId) ? await loadTrade(tradeId) : undefined;
  if (trade === undefined) return { ok: false, code: "TRANSACTION_NOT_FOUND" };
  const at = currentTime();
  const ownTrade = sideOf(trade, admin.member.userId) !== undefined;
  const [infoExchange, receivedAmount, payouts, all, disputed, known, vault, byHand, decisions] =
    await Promise.all([
      exchangeFor(db(), trade, "admin"),
      readReceivedAmount(db(), tradeId),
      payoutsFor(admin.member.userId, tradeId),
      listInvoices(db(), tradeId),
      casesOf(db(), tradeId),
      findPeople(db(), [trade.buyerId, trade.sellerId]),
      recordsOf(db(), trade),
      ownTrade ? noManualPayments : viewManualPayments(db(), tradeId, admin.member.userId, at),
      decisionsFor(db(), trade, admin.member.userId, at),
    ]);
  const person = (id: number): AdminPerson => {
    const found = known.get(id);
    const { username = "", displayName = "", avatarInitials = "" } = found ?? {};
    const { email = null, phoneNumber = null, bankAccount = null } = found ?? {};
    return { id, username, displayName, avatarInitials, email, phoneNumber, bankAccount };
  };
  return {
    ok: true,
    detail: {
      transaction: { ...transactionView(trade), standing: tradeProgressOf(trade, payouts) },
      buyer: person(trade.buyerId),
      seller: person(trade.sellerId),
      steps: stepViews(trade.steps),
      infoExchange,
      heldAmount: trade.held,
      receivedAmount,
      payouts,
      invoices: all,
      clocks: clocksOf(trade.deadlines, at),
      disputes: disputed,
      holds: trade.holds,
      vault: vaultView(vault, at),
      byHand,
      decisions,
      hiddenAt: trade.hiddenAt?.toISOString() ?? null,
      erasedAt: trade.erasedAt?.toISOString() ?? null,
      ownTrade,
      serverTime: at.toISOString(),
    },
  };
}

async function payoutsFor(reader: number, tradeId: number): Promise<AdminTradeView["payouts"]> {
  const payouts = await payoutsOf(db(), tradeId);
  const banks = await payerBanks(db(), payouts);
  const two = exceedsFourEyes(outgoingTotal(payouts));
  return payouts.map((payout) => ({
    ...payout,
    destination: destinationFor(reader, payout),
    fourEyes: payout.fourEyes || two,
    payerBanks: banks.get(payout.id) ?? [],
    destinationDigest: destinationDigest(payout.destination),
  }));
}
