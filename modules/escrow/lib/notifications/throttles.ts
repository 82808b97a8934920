import { now } from "#db/clock";
import { type Throttled, throttle } from "#db/throttle";
import type { Actor, Member } from "#modules/identity";
import { requireParty } from "../core/authorization.ts";
import { decide } from "../machine/decide.ts";
import type { Command } from "../machine/trade-types.ts";

type Turn = { ok: true } | Throttled;

/** Things told or asked a minute by one person; what moves money is paced by its own verb. */
const pace = { max: 60, seconds: 60 };

/** How often one person may turn one trade round: each time somebody else gets a mail. */
const turns = { max: 60, seconds: 600 };

/** Refuses THROTTLED to somebody who writes faster than people do, through whichever door; a visitor is left to the verb. */
export async function paced(actor: Actor): Promise<Turn> {
  return actor.kind === "user" ? throttle(`escrow.write:${actor.userId}`, pace, now()) : { ok: true };
}

/**
 * The same for commands that can be taken back and given again without end. Only what would change something counts, so that
 * a repeat stays free; whatever else is wrong is left to the verb.
 */
export async function turning(actor: Actor, id: number, given: Command): Promise<Turn> {
  const found = await requireParty(actor, id);
  if (!found.ok) return { ok: true };
  const decision = decide(found.trade, { ...given, who: found.party }, now());
  if (!decision.ok || !decision.changed) return { ok: true };
  return turn(found.member, id);
}

/** The same of a command that its caller knows to change something. */
export function turn({ userId }: Member, id: number): Promise<Turn> {
  return throttle(`escrow.turn:${id}:${userId}`, turns, now());
}
