import { currentTime } from "#db/clock";
import type { Actor } from "#modules/identity";
import { openHolds } from "#modules/payments";
import { type NoAdminGrant, requireAdminForTrade } from "../core/authorization.ts";
import { runAtomically, type TradeRefusal, type TradeResult } from "../core/outcomes.ts";

/**
 * Puts a trade on hold because an administrator suspects fraud: it cannot end, and no money leaves, until the hold is resolved. It moves no money,
 * so it needs no fresh login. Each report is a hold of its own; the same text from the same administrator is the same report. Refuses
 * AUTH_REQUIRED, ADMIN_REQUIRED, TRANSACTION_NOT_FOUND, OWN_TRADE.
 */
export function reportFraud(
  actor: Actor,
  tradeId: number,
  { reason: note }: { reason: string },
): Promise<TradeResult | NoAdminGrant | TradeRefusal<"RECORD_ALTERED">> {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, tradeId);
    if (!found.ok) return found;
    const { trade, member } = found;
    const words = new Bun.CryptoHasher("sha256").update(note).digest("hex").slice(0, 16);
    const subject = `report:${member.userId}:${words}`;
    const hold = { reference: tradeId, reason: "FRAUD_REPORT" as const, subject, facts: { note } };
    await openHolds(tx, [{ ...hold, figures: at.toISOString(), by: member.userId }], at);
    return { ok: true, changed: true, trade };
  });
}
