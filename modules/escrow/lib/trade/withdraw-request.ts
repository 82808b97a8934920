import { now } from "#db/clock";
import type { Actor } from "#modules/identity";
import { requireParty } from "../core/authorization.ts";
import type { Done, Refused } from "../core/outcomes.ts";
import { decide } from "../machine/decide.ts";
import { invoicingAlone } from "../payment/invoicing.ts";
import { settleOld } from "../payment/issue-invoice.ts";
import { byParty } from "./party-commands.ts";

/**
 * The seller takes the request back while nothing is paid. The provider is asked before; money that comes later goes back by
 * suspense. Refuses AUTH_REQUIRED, TRANSACTION_NOT_FOUND, SELLER_ONLY, TRADE_OVERTAKEN, MONEY_BOOKED, INVOICING_BUSY.
 */
export async function withdrawRequest(actor: Actor, id: number): Promise<Done | Refused> {
  const found = await requireParty(actor, id);
  if (!found.ok) return found;
  const decision = decide(found.trade, { kind: "withdraw", who: found.party }, now());
  if (!decision.ok || !decision.changed) return decision;
  return invoicingAlone(id, async () => {
    const settled = await settleOld(id, actor);
    return settled.ok ? byParty(actor, id, { kind: "withdraw" }) : settled;
  });
}
