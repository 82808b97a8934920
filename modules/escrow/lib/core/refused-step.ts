import type { Executor } from "#db/client";
import { findPeople } from "#modules/identity";
import { openHoldReasons, type Payout } from "#modules/payments";
import type { Trade } from "../machine/trade-types.ts";
import { type RefusalCode, refuseAction, type TradeRefusal } from "./outcomes.ts";

/** Why a step of a payout or refund is refused. */
export type PayoutStepRefusal<Code extends RefusalCode = RefusalCode> = {
  ok: false;
  code: Code;
  textKey?: string;
  current?: Payout;
};

/**
 * Adds to a refused step the trade's status, for TRADE_ON_HOLD the reasons of the hold, and for PAYOUT_CLAIMED the name of the
 * administrator who makes the transfer.
 */
export async function refusePayoutStep<Code extends RefusalCode>(
  exec: Executor,
  { code, textKey, current }: PayoutStepRefusal<Code>,
  trade: Trade,
): Promise<TradeRefusal<Code>> {
  const reasons = code === "TRADE_ON_HOLD" ? await openHoldReasons(exec, current?.reference ?? 0) : undefined;
  const answer = {
    ...refuseAction(code, trade),
    ...(textKey !== undefined && { textKey }),
    ...(reasons && { reasons }),
  };
  if (code !== "PAYOUT_CLAIMED" || !current?.claimedBy) return answer;
  const who = await findPeople(exec, [current.claimedBy]);
  return { ...answer, params: { name: who.get(current.claimedBy)?.displayName ?? "" } };
}

/** A refusal without the codes that its caller has ruled out; one of those is a bug, and throws. */
export function ruleOutRefusals<Code extends RefusalCode, Bug extends Code>(
  step: PayoutStepRefusal<Code>,
  bugs: readonly Bug[],
): PayoutStepRefusal<Exclude<Code, Bug>> {
  const { code } = step;
  if ((bugs as readonly Code[]).includes(code))
    throw new Error(`escrow: a step of a payout was refused: ${code}`);
  return { ...step, code: code as Exclude<Code, Bug> };
}
