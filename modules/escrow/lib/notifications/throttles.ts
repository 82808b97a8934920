import { currentTime } from "#db/clock";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import type { Actor, Member } from "#modules/identity";
import { requireParty } from "../core/authorization.ts";
import { decideCommand } from "../machine/decide.ts";
import type { Command } from "../machine/trade-types.ts";

type ThrottleResult = { ok: true } | ThrottleRefusal;

/** Texts and requests that one person may send per minute; verbs that move money have their own limits. */
const writeLimit = { max: 60, seconds: 60 };

/** How often one person may reverse a command on one trade: each time, someone else gets an email. */
const reversalLimit = { max: 60, seconds: 600 };

/** How often one person may ask to cancel one trade, and how often they may open a dispute about it: each time, the other one must react. */
const askingLimit = { max: 10, seconds: 86_400 };
const askingCommands: ReadonlySet<Command["kind"]> = new Set(["request_cancellation", "open_dispute"]);

/**
 * Refuses THROTTLED to a user who writes faster than people do, on pages and API together. A visitor passes: the verb decides about them.
 */
export async function throttleWrites(actor: Actor): Promise<ThrottleResult> {
  return actor.kind === "user"
    ? takeThrottledAttempt(`escrow.write:${actor.userId}`, writeLimit, currentTime())
    : { ok: true };
}

/**
 * Refuses THROTTLED to a party who gives and withdraws a command again and again. Requests to cancel and disputes have a second limit,
 * because the other party must react to each; withdrawing, and agreeing to the other party's request, are not limited by it. A repetition
 * that changes nothing is free, and so is what `decideCommand` refuses; what is refused under the lock (VAULT_CHANGED) counts.
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
  const turn = await throttleReversal(found.member, id);
  // Agreeing to the other party's request ends the trade: it is never one too many.
  const asks = askingCommands.has(given.kind) && decision.trade.endedAt === null;
  if (!turn.ok || !asks) return turn;
  const key = `escrow.ask:${given.kind}:${id}:${found.member.userId}`;
  return takeThrottledAttempt(key, askingLimit, currentTime());
}

/** The same for a command that the caller knows to change something. */
export function throttleReversal({ userId }: Member, id: number): Promise<ThrottleResult> {
  return takeThrottledAttempt(`escrow.turn:${id}:${userId}`, reversalLimit, currentTime());
}
