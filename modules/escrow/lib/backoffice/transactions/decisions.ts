import type { Executor } from "#db/client";
import { mayDecide } from "../../disputes/mediate.ts";
import { decideCommand } from "../../machine/decide.ts";
import { type Shares, sharesOf } from "../../machine/dispute.ts";
import type { Command, Trade } from "../../machine/trade-types.ts";
import { findClaimedPayouts } from "../payouts/claimed-payouts.ts";
import type { Decisions } from "./responses.ts";

/**
 * The decisions open to an administrator. A disputed trade has none: it is ruled on the dispute's page. After a ruling only its mediator
 * may cancel the trade, and nobody may while an administrator makes its transfer.
 */
export async function decisionsFor(
  exec: Executor,
  trade: Trade,
  userId: number,
  at: Date,
): Promise<Decisions> {
  if (trade.status === "disputed") return { complete: null, cancel: null, cancelledBy: null };
  const follows = (command: Command): Shares | null => {
    const decision = decideCommand(trade, { ...command, who: "admin" }, at);
    return decision.ok && decision.changed ? sharesOf(decision.effects) : null;
  };
  const decides = await mayDecide(exec, { trade, userId });
  const complete = follows({ kind: trade.held > 0 ? "pay_seller" : "complete" });
  const cancel = follows({ kind: "cancel", ourFault: false });
  if (!decides.ok) {
    const name = decides.params?.name;
    return { complete, cancel: null, cancelledBy: cancel && name !== undefined ? String(name) : null };
  }
  const transferring = (await findClaimedPayouts(exec, trade.id)).length > 0;
  return { complete, cancel: transferring ? null : cancel, cancelledBy: null };
}
