import { db, type Tx } from "#db/client";
import { now } from "#db/clock";
import type { Actor } from "#modules/identity";
import {
  approve,
  claim,
  giveBankReference,
  heldAmount,
  lastFour,
  markPayoutDone,
  markPayoutSent,
  markPayoutUnknown,
  type Payout,
  type PayoutActor,
  payout,
  type Resolution,
  resolveUnknownPayout,
  type Stepped,
  voidApproval,
} from "#modules/payments";
import { postNotice } from "#modules/rooms";
import { command } from "../../core/apply-command.ts";
import { freshAdmin, personOf, requireAdminForTrade } from "../../core/authorization.ts";
import { atomically, type Done, type Refused, refused } from "../../core/outcomes.ts";
import { type NoStep, refusedStep } from "../../core/refused-step.ts";
import { afterAnswer, askingBefore } from "../../holds/ask-before-payout.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { mailTo } from "../../notifications/mail-parties.ts";
import { tellNotArrived } from "../../notifications/transfer-not-arrived.ts";
import { showAgain } from "../../trade/show-again.ts";
import { tellAttempt, tellFoundUnsent, tellingSender } from "../transfers/notify-sender.ts";

export type Paid = Done & { payout: Payout };
type Doing = { at: Date; by: PayoutActor };
type Work = (tx: Tx, trade: Trade, doing: Doing) => Promise<Stepped | NoStep>;

/**
 * A step of one payout or refund under its trade's lock. Every verb of one may refuse AUTH_REQUIRED, ADMIN_REQUIRED,
 * PAYOUT_NOT_FOUND and OWN_TRADE; those that move money also REAUTH_REQUIRED. A repeat changes nothing.
 */
export async function onPayout(
  actor: Actor,
  payoutId: number,
  fresh: boolean,
  work: Work,
): Promise<Paid | Refused> {
  const at = now();
  if (fresh) {
    const admin = freshAdmin(actor, at);
    if (!admin.ok) return admin;
  }
  const seen = await payout(db(), payoutId);
  return atomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, seen?.reference ?? 0);
    if (!found.ok) return found.code === "TRANSACTION_NOT_FOUND" ? refused("PAYOUT_NOT_FOUND") : found;
    const doing = { at, by: await personOf(tx, found.member, at) };
    const stepped = await work(tx, found.trade, doing);
    if (!stepped.ok) return refusedStep(tx, stepped, found.trade);
    return settled(tx, found.trade, stepped, doing);
  });
}

/** After a step: whoever gets the money is told, and a trade whose money has all left is complete. */
export async function settled(
  tx: Tx,
  trade: Trade,
  { payout: record, repeated }: Stepped & { ok: true },
  doing: Doing,
): Promise<Paid | Refused> {
  if (repeated) return { ok: true, changed: false, trade, payout: record };
  const left = record.state === "sent" && record.sentAt?.getTime() === doing.at.getTime();
  if (left) await mailSent(tx, trade, record);
  const stands = { ...trade, held: await heldAmount(tx, trade.id), moneySent: trade.moneySent || left };
  // The record that takes its place is made by this step; a later step of it may leave it due, too.
  const replaced = record.state === "due" && record.createdAt.getTime() === doing.at.getTime();
  // What was found not sent lies in escrow or suspense again: its trade must be somebody's to see.
  const seen = replaced ? await showAgain(tx, stands, doing) : stands;
  const done = await command(tx, seen, { kind: "money_left", who: "admin" }, doing);
  if (!done.ok) return done;
  if (left && record.kind === "refund") {
    const params = { transactionId: trade.id, code: trade.code, amount: record.amount };
    await postNotice(tx, { roomId: trade.roomId, code: "refundSent", params, at: doing.at });
  }
  if (replaced) await tellNotArrived(tx, done.trade, record, doing.at);
  return { ok: true, changed: true, trade: done.trade, payout: record };
}

async function mailSent(
  tx: Tx,
  trade: Trade,
  { kind, amount, destination, bankReference }: Payout,
): Promise<void> {
  const sums = { amount, destination: whereTo(destination), reference: bankReference ?? "" };
  const refund = kind === "refund";
  await mailTo(tx, trade, refund ? "buyer" : "seller", (reader) => ({
    template: refund ? "refundSent" : "payoutSent",
    data: { ...reader, ...sums },
  }));
}

/** Where money goes, as a mail says it: the bank, and the account's last four places. */
export function whereTo(destination: Payout["destination"]): string {
  return destination === null ? "" : `${destination.bankName} ••${lastFour(destination.accountNumber)}`;
}

/** What a person was shown of where money goes. */
export type ShownDestination = { destinationDigest?: string | undefined };

/** Nobody moves money to an account they do not say they saw. Refuses DESTINATION_DIGEST_REQUIRED. */
export function unseen(record: Payout | null | undefined, shown: string | undefined): NoStep | null {
  if (shown !== undefined || record?.destination == null) return null;
  return { ok: false, code: "DESTINATION_DIGEST_REQUIRED" };
}

/**
 * Freezes where a due payout or refund goes, once the provider was asked about the trade's payments again; a corrected account takes two
 * administrators, three hours later at the earliest. Refuses TRADE_ON_HOLD, DESTINATION_REQUIRED, DESTINATION_DIGEST_REQUIRED,
 * PAYOUT_CONFLICT (also when the account is not the one that was shown any more), MONEY_HALTED, PAYOUT_UNKNOWN_OPEN,
 * ACCOUNT_JUST_CORRECTED, FOUR_EYES_REQUIRED and FOUR_EYES_RELATED (who named the account of a refund in its buyer's place, or approved
 * it first).
 */
export async function approvePayout(
  actor: Actor,
  payoutId: number,
  { destinationDigest: shown }: ShownDestination = {},
): Promise<Paid | Refused> {
  const admin = freshAdmin(actor, now());
  if (!admin.ok) return admin;
  const due = await payout(db(), payoutId);
  // Also where it is approved: a lapsed approval is given again.
  const leaves = due?.state === "due" || due?.state === "approved";
  return askingBefore(actor, { tradeId: due?.reference ?? 0, leaves }, (asked) =>
    onPayout(actor, payoutId, true, async (tx, _, doing) => {
      const none = unseen(await payout(tx, payoutId), shown);
      return none ?? afterAnswer(asked, await approve(tx, { id: payoutId, shown, ...doing }));
    }),
  );
}

/**
 * Says that the administrator makes the transfer of an approved payout or refund at the bank. Where another does, `from` names
 * them: it is taken over from exactly them, and they are told. Refuses PAYOUT_CONFLICT, PAYOUT_CLAIMED (`name`), MONEY_HALTED,
 * PAYOUT_UNKNOWN_OPEN, TRADE_ON_HOLD, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED.
 */
export function claimPayout(
  actor: Actor,
  payoutId: number,
  { from = null }: { from?: number | null | undefined } = {},
): Promise<Paid | Refused> {
  return onPayout(actor, payoutId, true, (tx, trade, doing) =>
    tellingSender(tx, trade, payoutId, doing.by.userId, () => claim(tx, { id: payoutId, from, ...doing })),
  );
}

/**
 * Takes an approval back, so that the destination may be corrected. Where another makes the transfer, `from` names them, and they are
 * told. Refuses PAYOUT_CONFLICT once it is sent, PAYOUT_CLAIMED (`name`: another makes the transfer than was named).
 */
export function withdrawApproval(
  actor: Actor,
  payoutId: number,
  { reason, from = null }: { reason: string; from?: number | null | undefined },
): Promise<Paid | Refused> {
  return onPayout(actor, payoutId, false, (tx, trade, doing) =>
    tellingSender(tx, trade, payoutId, doing.by.userId, () =>
      voidApproval(tx, { id: payoutId, from, reason, ...doing }),
    ),
  );
}

/**
 * Records that an approved payout or refund has left, with the bank's number of it, once the provider was asked about the trade's payments
 * again; one sent without gets its number. While money is halted only what was claimed before it is recorded. Refuses PAYOUT_CONFLICT,
 * DESTINATION_DIGEST_REQUIRED, PAYOUT_CLAIMED (`name`: another makes the transfer, who is told), BANK_REFERENCE_USED, APPROVAL_LAPSED,
 * ACCOUNT_JUST_CORRECTED, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED, MONEY_HALTED, PAYOUT_UNKNOWN_OPEN, TRADE_ON_HOLD.
 */
export async function sendPayout(
  actor: Actor,
  payoutId: number,
  { bankReference, destinationDigest: shown }: { bankReference: string } & ShownDestination,
): Promise<Paid | Refused> {
  const admin = freshAdmin(actor, now());
  if (!admin.ok) return admin;
  const seen = await payout(db(), payoutId);
  // Days may lie between the approval and this: the provider may have taken the payment back since.
  const due = { tradeId: seen?.reference ?? 0, leaves: seen?.state === "approved" };
  const sent = await askingBefore(actor, due, (asked) =>
    onPayout(actor, payoutId, true, async (tx, _, doing) => {
      const record = await payout(tx, payoutId);
      if (record?.referenceMissing) return giveBankReference(tx, { id: payoutId, bankReference, ...doing });
      const none = unseen(record, shown);
      return (
        none ?? afterAnswer(asked, await markPayoutSent(tx, { id: payoutId, bankReference, shown, ...doing }))
      );
    }),
  );
  if (!sent.ok && sent.code === "PAYOUT_CLAIMED") {
    const record = await payout(db(), payoutId);
    if (record !== null) await tellAttempt(actor, record, now());
  }
  return sent;
}

/**
 * Records that a sent payout or refund was seen on the bank's statement, by another than who sent it. Refuses PAYOUT_CONFLICT,
 * BANK_REFERENCE_REQUIRED, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED.
 */
export function payoutDone(actor: Actor, payoutId: number): Promise<Paid | Refused> {
  return onPayout(actor, payoutId, false, (tx, _, doing) => markPayoutDone(tx, { id: payoutId, ...doing }));
}

/** Says that nobody knows whether it left; all money of the trade waits until a person finds out. Refuses PAYOUT_CONFLICT. */
export function payoutUnknown(
  actor: Actor,
  payoutId: number,
  { reason }: { reason: string },
): Promise<Paid | Refused> {
  return onPayout(actor, payoutId, false, (tx, _, doing) =>
    markPayoutUnknown(tx, { id: payoutId, reason, ...doing }),
  );
}

type Found = { outcome: "sent"; bankReference: string } | { outcome: "not_sent"; reason: string };

/**
 * What a person found out about money in doubt; that a transfer the books had as sent was not is another's to say than the sender's,
 * and every administrator is told. Refuses PAYOUT_CONFLICT, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED, PAYOUT_CLAIMED,
 * BANK_REFERENCE_USED.
 */
export function resolvePayout(actor: Actor, payoutId: number, found: Found): Promise<Paid | Refused> {
  return onPayout(actor, payoutId, true, async (tx, trade, doing) => {
    const before = await payout(tx, payoutId);
    const stepped = await resolveUnknownPayout(tx, { id: payoutId, ...found, ...doing } as Resolution);
    const undone = stepped.ok && !stepped.repeated && found.outcome === "not_sent" && before?.sentAt != null;
    if (undone) await tellFoundUnsent(tx, trade, stepped.payout);
    return stepped;
  });
}
