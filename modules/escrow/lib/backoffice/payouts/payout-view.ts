import { fourEyesAbove } from "#config";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { maskNumber } from "#format";
import {
  type Actor,
  findPeople,
  type NotAdmin,
  relatedAdministratorIds,
  requireAdmin,
} from "#modules/identity";
import {
  destinationDigest,
  exceedsFourEyes,
  findPayout,
  type HoldReason,
  isMoneyHalted,
  openHoldReasons,
  outgoingTotal,
  type Payout,
  type PayoutState,
  payerBanks,
  payoutList,
  payoutQueue,
  payoutsOf,
  readHaltState,
} from "#modules/payments";
import { deadlinesOf, tradeRows } from "../../core/load-trade.ts";
import { refuseAction, type TradeRefusal } from "../../core/outcomes.ts";
import { isId, sideOf } from "../../core/party-access.ts";
import type { Status } from "../../machine/trade-types.ts";
import { type CorrectionView, correctionOf } from "../transfers/account-correction.ts";
import { type Bar, barOf, claimedBefore, hasLapsed, reportOf } from "../transfers/transfer-facts.ts";
import { transferRemark } from "../transfers/transfer-remark.ts";
import { mayNameRefundAccount } from "./name-refund-account.ts";
import { destinationFor, senderOf } from "./recipient.ts";
import type { Sender } from "./responses.ts";

const PAGE = 25;

/** A payout or refund in the list; `account` is the last four digits of its destination. */
export type PayoutRow = Pick<Payout, "id" | "kind" | "amount" | "state" | "referenceMissing"> & {
  suspense: boolean;
  transaction: { id: number; code: string };
  recipient: string | null;
  /** Who is making the transfer. */
  sender: Sender | null;
  bankName: string | null;
  /** Masked: only its last characters are shown. */
  account: string | null;
  dueAt: string;
  sentAt: string | null;
  overdue: boolean;
};

/** Which payouts and refunds to list: those that wait for a person, earliest due first, or those of one state, newest first. */
export type PayoutFilter = { state?: PayoutState | undefined; beyond?: number | undefined };

/** Payouts and refunds, 25 a page; `next` is the id to pass as `beyond` for the next page. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function listPayouts(
  actor: Actor,
  { state, beyond }: PayoutFilter = {},
): Promise<
  { ok: true; payouts: PayoutRow[]; next: number | null; halted: boolean; serverTime: string } | NotAdmin
> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = currentTime();
  const limit = PAGE + 1;
  const [found, halted] = await Promise.all([
    state === undefined
      ? payoutQueue(db(), { limit, ...(beyond !== undefined && { after: beyond }) })
      : payoutList(db(), { limit, state, ...(beyond !== undefined && { before: beyond }) }),
    isMoneyHalted(db()),
  ]);
  const shown = found.slice(0, PAGE);
  const next = found.length > PAGE ? (shown.at(-1)?.id ?? null) : null;
  return { ok: true, payouts: await viewPayoutRows(shown, at), next, halted, serverTime: at.toISOString() };
}

async function viewPayoutRows(shown: readonly Payout[], at: Date): Promise<PayoutRow[]> {
  const [trades, who] = await Promise.all([
    tradeRows(db(), [...new Set(shown.map(({ reference }) => reference))]),
    findPeople(
      db(),
      shown.flatMap(({ recipientId, claimedBy }) => [recipientId ?? [], claimedBy ?? []].flat()),
    ),
  ]);
  const codes = new Map(trades.map(({ id, code }) => [id, code]));
  return shown.map(({ id, kind, amount, state, referenceMissing, ...row }) => ({
    ...{ id, kind, amount, state, referenceMissing },
    suspense: row.source !== "escrow",
    transaction: { id: row.reference, code: codes.get(row.reference) ?? "" },
    recipient: row.recipientId === null ? null : (who.get(row.recipientId)?.displayName ?? null),
    sender: senderOf({ state, ...row }, who),
    bankName: row.destination?.bankName ?? null,
    account: row.destination && maskNumber(row.destination.accountNumber),
    dueAt: row.dueAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    overdue: row.sentAt === null && state !== "void" && row.dueAt <= at,
  }));
}

/** What happened to a payout, when and by whom; `by` is null for Midman itself. */
export type PayoutMoment = {
  what:
    | "created"
    | "named"
    | "corrected"
    | "firstApproved"
    | "approved"
    | "reported"
    | "sent"
    | "unknown"
    | "done"
    | "void";
  at: string;
  by: string | null;
};

/**
 * One payout or refund with all that an administrator needs to send it. Once it is approved, only the administrator who makes or made the
 * transfer sees the full account; others see its last four digits.
 */
export type PayoutView = Pick<
  Payout,
  "id" | "kind" | "amount" | "fee" | "state" | "destination" | "bankReference" | "referenceMissing" | "reason"
> & {
  suspense: boolean;
  /** True if the reader sees the full account. */
  whole: boolean;
  /** Identifies the destination that the page shows; its form sends it back. */
  destinationDigest: string;
  /** The remark of the transfer at the bank. */
  remark: string;
  /** Set if the owner of the account replaced it. */
  correction: CorrectionView | null;
  /** The approver has lost the right to approve: it must be approved again before anything is sent. */
  approvalLapsed: boolean;
  /** The administrator who says that they had sent it before another took it over, and the bank reference they gave. */
  reported: { by: string; own: boolean; at: string; reference: string } | null;
  /** Why another administrator than the reader must record that it was seen on the statement, or that it was not sent. */
  barred: Bar;
  /** While money is halted: the reader claimed it before the halt, so it can still be recorded as sent. */
  leftBeforeHalt: boolean;
  /** Who named the account in the buyer's place, and whether that is the reader (`own`) or counts as the same reviewer (`related`). */
  named: { by: string; reason: string; own: boolean; related: boolean } | null;
  /** An administrator may name the account. */
  mayName: boolean;
  transaction: { id: number; code: string; status: Status };
  recipient: { id: number; displayName: string; username: string } | null;
  payerBanks: string[];
  dueAt: string;
  overdue: boolean;
  moments: PayoutMoment[];
  /**
   * Set if approver and sender must be two people: the limit in ₮, and whether the approver is the reader, or counts as the same reviewer
   * (`related`).
   */
  fourEyes: { above: number | null; approvedByReader: boolean; related: boolean } | null;
  /** Who is making the transfer, whether that is the reader, and what they noted when they claimed it. */
  sender: (Sender & { own: boolean; note: string | null }) | null;
  /** The record that this one replaces, and the one that replaced it. */
  replaces: number | null;
  replacedBy: number | null;
  ownTrade: boolean;
  /** Why the trade is on hold, which stops every outgoing step; empty if it is not. */
  holds: readonly HoldReason[];
  halted: boolean;
  serverTime: string;
};

/** One payout or refund for administrators. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, PAYOUT_NOT_FOUND. */
export async function payoutPage(
  actor: Actor,
  payoutId: number,
): Promise<{ ok: true; payout: PayoutView } | NotAdmin | TradeRefusal<"PAYOUT_NOT_FOUND">> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const found = isId(payoutId) ? await findPayout(db(), payoutId) : null;
  if (found === null) return refuseAction("PAYOUT_NOT_FOUND");
  const [trade] = await tradeRows(db(), [found.reference]);
  if (trade === undefined) throw new Error(`escrow: payout ${payoutId} is of no trade`);
  const at = currentTime();
  const { userId } = admin.member;
  const [all, banks, halt, who, relatedAdminIds, clocks, holds] = await Promise.all([
    payoutsOf(db(), found.reference),
    payerBanks(db(), [found]),
    readHaltState(db()),
    findPeople(db(), peopleOf(found, trade)),
    relatedAdministratorIds(db(), userId, at),
    deadlinesOf(db(), trade.id),
    openHoldReasons(db(), found.reference),
  ]);
  const { recipientId } = found;
  const to = recipientId === null ? undefined : who.get(recipientId);
  const { id, kind, amount, fee, state, bankReference, referenceMissing, reason } = found;
  const sender = senderOf(found, who);
  const own = sender?.id === userId;
  const destination = state === "due" ? found.destination : destinationFor(userId, found);
  const name = (of: number | null) => (of === null ? null : (who.get(of)?.displayName ?? null));
  const reader = { id: userId, relatedAdminIds, name };
  const view = {
    ...{ id, kind, amount, fee, state, destination, bankReference, referenceMissing, reason },
    suspense: found.source !== "escrow",
    whole: destination === found.destination,
    destinationDigest: destinationDigest(found.destination),
    remark: transferRemark(
      trade.code,
      all.map((one) => one.id),
      id,
    ),
    correction: await correctionOf(db(), found, reader),
    approvalLapsed: await hasLapsed(found),
    reported: reportOf(found, reader),
    barred: barOf(found, reader),
    leftBeforeHalt: halt.halted && own && found.claimedAt !== null && claimedBefore(found, halt.changedAt),
    named: viewAccountNaming(found, { reader: userId, relatedAdminIds, name }),
    mayName: mayNameRefundAccount(found, who.get(trade.buyerId), clocks.refund_account, at),
    transaction: { id: trade.id, code: trade.code, status: trade.status },
    recipient: to ? { id: to.id, displayName: to.displayName, username: to.username } : null,
    payerBanks: banks.get(id) ?? [],
    dueAt: found.dueAt.toISOString(),
    overdue: found.sentAt === null && state !== "void" && found.dueAt <= at,
    moments: listPayoutMoments(found, name),
    fourEyes: viewFourEyes(found, all, userId, relatedAdminIds),
    sender: sender && { ...sender, own, note: found.claimNote },
    replaces: found.replaces,
    replacedBy: all.find((one) => one.replaces === id)?.id ?? null,
    ownTrade: sideOf(trade, userId) !== undefined,
    holds,
    halted: halt.halted,
    serverTime: at.toISOString(),
  };
  return { ok: true, payout: view };
}

/** The ids of everyone whom the page of a payout or refund may name. */
function peopleOf(of: Payout, { buyerId }: { buyerId: number }): number[] {
  const { namedBy, approvedBy, claimedBy, sentBy, doneBy, unknownBy, voidedBy, recipientId } = of;
  const { firstApprovedBy, reportedBy } = of;
  const doers = [namedBy, firstApprovedBy, approvedBy, claimedBy, sentBy, reportedBy, doneBy, unknownBy];
  const known = [...doers, voidedBy, recipientId, buyerId];
  return known.flatMap((id) => id ?? []);
}

function viewAccountNaming(
  { namedBy: by, namedReason }: Payout,
  {
    reader,
    relatedAdminIds,
    name,
  }: { reader: number; relatedAdminIds: readonly number[]; name: (of: number) => string | null },
): PayoutView["named"] {
  if (by === null) return null;
  const own = by === reader;
  return {
    by: name(by) ?? "",
    reason: namedReason ?? "",
    own,
    related: !own && relatedAdminIds.includes(by),
  };
}

function viewFourEyes(
  { fourEyes, approvedBy }: Payout,
  all: readonly Payout[],
  reader: number,
  relatedAdminIds: readonly number[],
): PayoutView["fourEyes"] {
  if (!fourEyes && !exceedsFourEyes(outgoingTotal(all))) return null;
  const approvedByReader = approvedBy === reader;
  const related = !approvedByReader && approvedBy !== null && relatedAdminIds.includes(approvedBy);
  return { above: fourEyesAbove(), approvedByReader, related };
}

function listPayoutMoments(of: Payout, name: (id: number | null) => string | null): PayoutMoment[] {
  const all = [
    { what: "created", at: of.createdAt, by: null },
    { what: "named", at: of.namedAt, by: name(of.namedBy) },
    { what: "corrected", at: of.correctedAt, by: null },
    { what: "firstApproved", at: of.firstApprovedAt, by: name(of.firstApprovedBy) },
    { what: "approved", at: of.approvedAt, by: name(of.approvedBy) },
    { what: "sent", at: of.sentAt, by: name(of.sentBy) },
    { what: "reported", at: of.reportedAt, by: name(of.reportedBy) },
    { what: "unknown", at: of.unknownAt, by: name(of.unknownBy) },
    { what: "done", at: of.doneAt, by: name(of.doneBy) },
    { what: "void", at: of.voidedAt, by: name(of.voidedBy) },
  ] as const;
  return all
    .flatMap(({ what, at, by }) => (at === null ? [] : [{ what, at: at.toISOString(), by }]))
    .sort((a, b) => a.at.localeCompare(b.at));
}
