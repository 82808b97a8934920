import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/client";
import { broadcastFrame } from "#modules/rooms";
import { writeDeadlines } from "../deadlines/deadlines.ts";
import { decideCommand, type EffectOf, type RejectionOf } from "../machine/decide.ts";
import type { Decision, GivenCommand, Trade } from "../machine/trade-types.ts";
import { destroyVault } from "../vault/destroy-vault.ts";
import { type ChangeContext, carryOut, type EffectRefusal, recordChange } from "./carry-out-effects.ts";
import type { TradeRefusal, TradeResult } from "./outcomes.ts";
import { disputesTable, tradesTable } from "./schema.ts";
import { writeSteps } from "./write-steps.ts";

/** Decides a command. A TRADE_ON_HOLD refusal names the reasons of the hold to administrators only. */
export function decideFor<Given extends GivenCommand>(
  trade: Trade,
  given: Given,
  at: Date,
): Decision<RejectionOf<Given>, EffectOf<Given>> | TradeRefusal<RejectionOf<Given>> {
  const decision = decideCommand(trade, given, at);
  if (decision.ok) return decision;
  const told = decision.code === "TRADE_ON_HOLD" && given.who === "admin";
  return told ? { ...decision, reasons: trade.holds } : decision;
}

/** Why a command may be refused when it is applied. */
export type CommandRefusal<Given extends GivenCommand> = RejectionOf<Given> | EffectRefusal<EffectOf<Given>>;

/**
 * Applies a command to a locked trade: decides it, then writes row, steps, deadlines, dispute, money, audit entry, mails, jobs and notices
 * in the caller's transaction. A refusal can come after some rows were written (for example a payout that cannot leave), so the caller must
 * then roll the transaction back, as `runAtomically` does.
 */
export async function applyCommand<Given extends GivenCommand>(
  tx: Tx,
  trade: Trade,
  given: Given,
  changeContext: ChangeContext,
): Promise<TradeResult | TradeRefusal<CommandRefusal<Given>>> {
  const decision = decideFor(trade, given, changeContext.at);
  if (!decision.ok) return decision;
  if (!decision.changed) return { ok: true, changed: false, trade };
  const next = decision.trade;
  await writeRow(tx, next);
  await writeSteps(tx, trade.id, trade.steps, next.steps);
  await writeDeadlines(tx, trade.id, trade.deadlines, next.deadlines, changeContext.at);
  await writeDispute(tx, trade, next, changeContext);
  const data = {
    who: given.who,
    from: trade.status,
    to: next.status,
    held: trade.held,
    ...detailsOf(given),
    ...(next.receivedOtherwiseAt !== trade.receivedOtherwiseAt && { receivedOtherwise: true }),
  };
  await recordChange(tx, trade, changeContext, given.kind, data);
  if (next.endedAt !== null) await destroyVault(tx, next, changeContext);
  const done = await carryOut(tx, next, decision.effects, changeContext);
  if (next.status !== trade.status) broadcastStatus(tx, next);
  // The caller rolls back after a refusal, so the status is the one from before the command.
  return done.ok ? { ok: true, changed: true, trade: next } : { ...done, current: trade.status };
}

/** For clients that wait for a change of status alone. Midman's own room page uses `transaction_update`, which follows every change. */
function broadcastStatus(tx: Tx, { id, roomId, status }: Trade): void {
  broadcastFrame(tx, roomId, { type: "status_update", data: { transactionId: id, status } });
}

/** The parts of a command's own data that the audit log may keep forever. */
function detailsOf(given: GivenCommand): Record<string, unknown> {
  switch (given.kind) {
    case "amend":
      return {
        ...{ amount: given.figures.amount, fee: given.figures.fee, feePayer: given.figures.feePayer },
        goods: given.goods,
      };
    case "issue_invoice":
      return { invoiceId: given.invoiceId };
    case "payment_checked":
      return { booked: given.booked, complete: given.complete, failed: given.failed };
    case "rule":
      return { ruling: given.ruling, refundAmount: given.refundAmount ?? null };
    case "cancel":
      return { ourFault: given.ourFault };
    default:
      return {};
  }
}

async function writeRow(tx: Tx, trade: Trade): Promise<void> {
  const { id, ...rest } = trade;
  await tx.update(tradesTable).set(toTradeRow(rest)).where(eq(tradesTable.id, id));
}

/** The columns of a trade's row, without the facts that other tables hold. */
export function toTradeRow(trade: Omit<Trade, "id">) {
  const {
    steps: _s,
    deadlines: _d,
    dispute,
    held: _h,
    moneySent: _m,
    sellerDestination: _t,
    ...rest
  } = trade;
  const { holds: _o, ...row } = rest;
  return { ...row, disputedFrom: trade.status === "disputed" ? (dispute?.from ?? null) : null };
}

async function writeDispute(tx: Tx, before: Trade, after: Trade, { at, by }: ChangeContext): Promise<void> {
  const next = after.dispute;
  if (next === null || next === before.dispute) return;
  if (next.outcome === null) {
    const { openedBy, from } = next;
    await tx.insert(disputesTable).values({ tradeId: after.id, openedBy, openedFrom: from, openedAt: at });
    return;
  }
  const { outcome, refundAmount } = next;
  await tx
    .update(disputesTable)
    .set({ outcome, refundAmount, ruledBy: by.userId, endedAt: at })
    .where(and(eq(disputesTable.tradeId, after.id), isNull(disputesTable.outcome)));
}
