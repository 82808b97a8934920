import { currentTime } from "#db/clock";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import type { Actor, Member } from "#modules/identity";
import { requireParty } from "../core/authorization.ts";
import { decideCommand } from "../machine/decide.ts";
import type { Command } from "../machine/trade-types.ts";

type ThrottleResult = { ok: true } | ThrottleRefusal;

/** Things told or asked a minute by one person; what moves money is paced by its own verb. */
const writeLimit = { max: 60, seconds: 60 };

/** How often one person may turn one trade round: each time somebody else gets a mail. */
const reversalLimit = { max: 60, seconds: 600 };

/** Refuses THROTTLED to somebody who writes faster than people do, through whichever door; a visitor is left to the verb. */
export async function throttleWrites(actor: Actor): Promise<ThrottleResult> {
  return actor.kind === "user"
    ? takeThrottledAttempt(`escrow.write:${actor.userId}`, writeLimit, currentTime())
    : { ok: true };
}

/**
 * The same for commands that can be taken back and given again without end. Only what would change something counts, so that
 * a repeat stays free; whatever else is wrong is left to the verb.
 */
export async function throttleReversibleCommand(
  actor: Actor,
  id: number,
  given: Command,
): Promise<ThrottleResult> {
  const found = await requireParty(actor, id);
  if (!found.ok) return { ok: true };
  const decision = decideCommand(found.trade, { ...given, who: found.party }, currentTime());
  if (!decision.ok || !decision.changed) return { ok: true };
  return throttleReversal(found.member, id);
}

/** The same of a command that its caller knows to change something. */
export function throttleReversal({ userId }: Member, id: number): Promise<ThrottleResult> {
  return takeThrottledAttempt(`escrow.turn:${id}:${userId}`, reversalLimit, currentTime());
}
