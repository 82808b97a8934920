import { now } from "#db/clock";
import { type Actor, by } from "#modules/identity";
import { freshAdmin, lockedAsAdmin } from "./acting.ts";
import { command } from "./apply.ts";
import { mayDecide } from "./disputes.mediate.ts";
import type { Command } from "./machine/types.ts";
import { atomically, type Done, type Refused } from "./outcomes.ts";

/**
 * An administrator gives a command to a trade that is not their own. Every verb here may refuse AUTH_REQUIRED, ADMIN_REQUIRED,
 * TRANSACTION_NOT_FOUND and OWN_TRADE, and with `current` what its decision refuses.
 */
function byAdmin(actor: Actor, id: number, given: Command): Promise<Done | Refused> {
  const at = now();
  return atomically(async (tx) => {
    const found = await lockedAsAdmin(tx, actor, id);
    if (!found.ok) return found;
    const { trade, member } = found;
    if (given.kind !== "hide" && trade.held > 0) {
      const fresh = freshAdmin(actor, at);
      if (!fresh.ok) return fresh;
    }
    // What is due by a ruling anybody may send; to undo it is its mediator's.
    if (trade.status === "disputed" || given.kind === "cancel") {
      const decides = await mayDecide(tx, { trade, userId: member.userId });
      if (!decides.ok) return decides;
    }
    return command(tx, trade, { ...given, who: "admin" }, { at, by: by(actor) });
  });
}

/**
 * Closes a trade. With nothing held no money moves; what is held is recorded as sent to the seller, its bank reference to
 * follow, and asks for a fresh login (REAUTH_REQUIRED). Refuses TRADE_OVERTAKEN (cancelled), DESTINATION_MISSING,
 * DESTINATION_REQUIRED, FOUR_EYES_REQUIRED, MONEY_HALTED, PAYOUT_UNKNOWN_OPEN; to anybody but the mediator of a dispute
 * DISPUTE_TAKEN, DISPUTE_NOT_TAKEN.
 */
export function adminComplete(actor: Actor, id: number): Promise<Done | Refused> {
  return byAdmin(actor, id, { kind: "complete" });
}

/**
 * Calls a trade off; what is held becomes a refund, whole when the fault is ours, and asks for a fresh login (REAUTH_REQUIRED).
 * Refuses MONEY_ALREADY_SENT, TRADE_OVERTAKEN (cancelled otherwise); to anybody but the mediator of a dispute, open or ruled,
 * DISPUTE_TAKEN, DISPUTE_NOT_TAKEN.
 */
export function adminCancel(
  actor: Actor,
  id: number,
  { ourFault = false }: { ourFault?: boolean } = {},
): Promise<Done | Refused> {
  return byAdmin(actor, id, { kind: "cancel", ourFault });
}

/** Hides a trade from every list; nothing is erased. Refuses MONEY_HELD. */
export function deleteTransaction(actor: Actor, id: number): Promise<Done | Refused> {
  return byAdmin(actor, id, { kind: "hide" });
}
