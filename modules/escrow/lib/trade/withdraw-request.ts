import { currentTime } from "#db/clock";
import type { Actor } from "#modules/identity";
import { requireParty } from "../core/authorization.ts";
import { decideCommand } from "../machine/decide.ts";
import { withInvoicingLease } from "../payment/invoicing-lease.ts";
import { closeEarlierInvoices } from "../payment/issue-invoice.ts";
import { commandAsParty } from "./party-commands.ts";

/**
 * The seller withdraws the request while nothing is paid. The provider is asked first; money that arrives later goes to suspense and is
 * refunded. Refuses AUTH_REQUIRED, TRANSACTION_NOT_FOUND, SELLER_ONLY, TRADE_OVERTAKEN, MONEY_BOOKED, INVOICING_BUSY.
 */
export async function withdrawRequest(actor: Actor, id: number) {
  const found = await requireParty(actor, id);
  if (!found.ok) return found;
  const decision = decideCommand(found.trade, { kind: "withdraw", who: found.party }, currentTime());
  if (!decision.ok || !decision.changed) return decision;
  return withInvoicingLease(id, async () => {
    const settled = await closeEarlierInvoices(id, actor, { force: true });
    return settled.ok ? commandAsParty(actor, id, { kind: "withdraw" }) : settled;
  });
}
