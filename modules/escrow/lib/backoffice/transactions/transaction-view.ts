import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, findPeople, type NotAdmin, requireAdmin } from "#modules/identity";
import {
  destinationDigest,
  exceedsFourEyes,
  listInvoices,
  outgoingTotal,
  payerBanks,
  payoutsOf,
  readReceivedAmount,
} from "#modules/payments";
import { loadTrade } from "../../core/load-trade.ts";
import { isId, sideOf } from "../../core/party-access.ts";
import { clocksOf } from "../../deadlines/clock-view.ts";
import { casesOf } from "../../disputes/dispute-cases.ts";
import { exchangeFor } from "../../information/view.ts";
import { stepViews } from "../../trade/view/step-views.ts";
import { tradeProgressOf } from "../../trade/view/trade-progress.ts";
import { transactionView } from "../../trade/view/transaction-view.ts";
import { recordsOf } from "../../vault/vault-records.ts";
import { vaultView } from "../../vault/view.ts";
import { noManualPayments, viewManualPayments } from "../manual-payments/proposals.ts";
import { destinationFor } from "../payouts/recipient.ts";
import { decisionsFor } from "./decisions.ts";
import type { AdminPerson, AdminTradeView } from "./responses.ts";

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
      holds: [...trade.holds],
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
