import type { Tx } from "#db/client";
import type { AuditActionOf } from "#locales";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import {
  type ApproveRefusal,
  approvePayoutRecord,
  createDuePayout,
  markPayoutSent,
  type Payout,
  payoutsOf,
  type SendRefusal,
  voidLivePayouts,
} from "#modules/payments";
import { endRoom, postNotice } from "#modules/rooms";
import { followRefunds } from "../backoffice/payouts/refund-deadlines.ts";
import { sellerAccount } from "../information/bank-account.ts";
import { refundDestination } from "../information/refund-account.ts";
import type { Effect, Trade } from "../machine/trade-types.ts";
import { mailAdmins, mailDisputeStep, mailParty } from "../notifications/mail-parties.ts";
import { stopInvoices } from "../payment/stop-invoices.ts";
import { digestOfTrade } from "../proof/sealed-trades.ts";
import { loadReviewer } from "./authorization.ts";
import { broadcastTradeUpdate } from "./broadcast-update.ts";
import { type RefusalCode, refuseAction, type TradeRefusal } from "./outcomes.ts";
import { refusePayoutStep, ruleOutRefusals } from "./refused-step.ts";

/** Who makes the change, and when; `extra` is added to the notices' parameters. */
export type ChangeContext = { at: Date; by: AuditActor; extra?: Record<string, string | number> };
type EffectResult<Code extends RefusalCode> = { ok: true } | TradeRefusal<Code>;

/** `sendDue` reads the payouts under the trade's lock, and sends them without a bank reference. */
const impossibleSendRefusals = ["PAYOUT_NOT_FOUND", "BANK_REFERENCE_USED"] as const;
type ImpossibleSendRefusal = (typeof impossibleSendRefusals)[number];

type SendDueRefusal =
  | "ADMIN_REQUIRED"
  | "PAYOUT_UNKNOWN_OPEN"
  | "FOUR_EYES_REQUIRED"
  | Exclude<ApproveRefusal | SendRefusal, ImpossibleSendRefusal>;

/** Why an effect may be refused: only one that moves money can be. */
export type EffectRefusal<Due extends Effect> = Due extends { kind: "payout_due" | "refund_due" }
  ? "PAYOUT_EXCEEDS_HELD"
  : Due extends { kind: "void_due" }
    ? "MONEY_ALREADY_SENT"
    : Due extends { kind: "send_due" }
      ? SendDueRefusal
      : never;

const hourMs = 3_600_000;

/**
 * Carries out the effects of a decision outside the trade's row. Money comes first, since only money can be refused; then mails and jobs.
 * Notices come last, because the room's message counter is the last lock in the lock order.
 */
export async function carryOut<Due extends Effect>(
  tx: Tx,
  trade: Trade,
  effects: readonly Due[],
  changeContext: ChangeContext,
): Promise<EffectResult<EffectRefusal<Due>>> {
  for (const effect of effects) {
    const moved = await moveMoney(tx, trade, effect, changeContext);
    if (!moved.ok) return moved as TradeRefusal<EffectRefusal<Due>>;
  }
  await announceEffects(tx, trade, effects, changeContext);
  return { ok: true };
}

/** What needs no decision any more: deadlines, mails and jobs, then the notices. */
async function announceEffects(
  tx: Tx,
  trade: Trade,
  effects: readonly Effect[],
  changeContext: ChangeContext,
): Promise<void> {
  const payouts = await payoutsOf(tx, trade.id);
  const missing = await followRefunds(tx, trade.id, payouts, changeContext.at);
  const moved = { ...sumPayouts(payouts), missing };
  for (const effect of effects) {
    if (effect.kind === "mail") await mailParty(tx, trade, effect, moved);
    else if (effect.kind === "dispute_step") await mailDisputeStep(tx, trade, effect.step, moved);
    else if (effect.kind === "admin_task") await mailAdmins(tx, trade, effect.task);
    else if (effect.kind === "cancel_invoices") await stopInvoices(tx, trade.id);
    else if (effect.kind === "end_room") await endRoom(tx, trade.roomId, changeContext.at);
  }
  for (const effect of effects) {
    if (effect.kind !== "notice") continue;
    const { code, params, type } = effect;
    const said = {
      roomId: trade.roomId,
      code,
      params: { ...params, ...changeContext.extra },
      at: changeContext.at,
    };
    await postNotice(tx, type === undefined ? said : { ...said, type });
  }
  broadcastTradeUpdate(tx, trade);
}

/** Posts a notice about a change outside the trade's row, and makes open pages fetch the trade's cards again. */
export async function postTradeNotice(
  tx: Tx,
  trade: Trade,
  { code, params, at }: { code: string; params: Record<string, string | number>; at: Date },
): Promise<void> {
  await postNotice(tx, { roomId: trade.roomId, code, params, at });
  broadcastTradeUpdate(tx, trade);
}

async function moveMoney(
  tx: Tx,
  trade: Trade,
  effect: Effect,
  changeContext: ChangeContext,
): Promise<EffectResult<EffectRefusal<Effect>>> {
  switch (effect.kind) {
    case "payout_due":
      return makePayoutDue(tx, trade, "payout", effect, changeContext);
    case "refund_due":
      return makePayoutDue(tx, trade, "refund", effect, changeContext);
    case "void_due": {
      const { at, by } = changeContext;
      const voided = await voidLivePayouts(tx, { reference: trade.id, reason: trade.status, at, by });
      return voided.ok ? voided : refuseAction(voided.code, trade);
    }
    case "send_due":
      return sendDue(tx, trade, changeContext);
    default:
      return { ok: true };
  }
}

/** The machine divides what the ledger holds. If the ledger disagrees, its records are altered; anything else is a bug. */
async function makePayoutDue(
  tx: Tx,
  trade: Trade,
  kind: "payout" | "refund",
  { amount, fee }: { amount: number; fee: number },
  { at, by }: ChangeContext,
): Promise<EffectResult<"PAYOUT_EXCEEDS_HELD">> {
  const toSeller = kind === "payout";
  const account = toSeller ? await sellerAccount(tx, trade.id) : null;
  const destination = account?.destination ?? (toSeller ? null : await refundDestination(tx, trade.id));
  const made = await createDuePayout(tx, {
    reference: trade.id,
    kind,
    amount,
    fee,
    ...(destination && { destination }),
    correctedAt: account?.correctedAt ?? null,
    recipientId: toSeller ? trade.sellerId : trade.buyerId,
    dueAt: trade.deadlines.payout?.dueAt ?? new Date(at.getTime() + 3 * hourMs),
    at,
    by,
  });
  if (made.ok) return made;
  if (made.code !== "PAYOUT_EXCEEDS_HELD")
    throw new Error(`escrow: a ${kind} of trade ${trade.id} cannot be due: ${made.code}`);
  return refuseAction(made.code, trade);
}

/** For the administrator's `complete` call, which has no body: sends all that is due at once, without bank references. */
async function sendDue(
  tx: Tx,
  trade: Trade,
  { at, by }: ChangeContext,
): Promise<EffectResult<SendDueRefusal>> {
  const { userId } = by;
  if (userId === null) return refuseAction("ADMIN_REQUIRED", trade);
  const person = { ...by, ...(await loadReviewer(tx, userId, at)), userId };
  const all = await payoutsOf(tx, trade.id);
  // A payout in doubt blocks everything: once the trade is closed, nobody would follow up its money.
  if (all.some(({ state }) => state === "unknown")) return refuseAction("PAYOUT_UNKNOWN_OPEN", trade);
  for (const { id, source, state } of all) {
    if (source !== "escrow" || (state !== "due" && state !== "approved")) continue;
    const approved = await approvePayoutRecord(tx, { id, at, by: person });
    if (!approved.ok)
      return refusePayoutStep(
        tx,
        ruleOutRefusals<ApproveRefusal, "PAYOUT_NOT_FOUND">(approved, ["PAYOUT_NOT_FOUND"]),
        trade,
      );
    // A corrected account needs two approvals: after the first one nothing is sent.
    if (approved.payout.state === "due") return refuseAction("FOUR_EYES_REQUIRED", trade);
    const sent = await markPayoutSent(tx, { id, bankReference: null, at, by: person });
    if (!sent.ok)
      return refusePayoutStep(
        tx,
        ruleOutRefusals<SendRefusal, ImpossibleSendRefusal>(sent, impossibleSendRefusals),
        trade,
      );
  }
  return { ok: true };
}

function sumPayouts(all: readonly Payout[]) {
  const sum = (kind: Payout["kind"]) =>
    all
      .filter((one) => one.kind === kind && one.source === "escrow" && one.state !== "void")
      .reduce((total, { amount }) => total + amount, 0);
  return { refund: sum("refund"), payout: sum("payout") };
}

/**
 * Writes the audit entry of a change with the digest of the trade after it, so the whole change must be written before. `data` holds ids,
 * states and sums, never free text.
 */
export async function recordChange(
  tx: Tx,
  trade: Trade,
  { at, by }: ChangeContext,
  action: AuditActionOf<"transaction">,
  data: Record<string, unknown>,
): Promise<void> {
  const subject = { kind: "transaction", id: trade.id };
  const entry = { by, action: `transaction.${action}` as const, at, roomId: trade.roomId, subject, data };
  await recordAuditEntry(tx, entry, digestOfTrade(trade.id));
}
