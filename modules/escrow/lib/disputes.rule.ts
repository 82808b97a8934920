import { now } from "#db/clock";
import { type Actor, by, requireAdmin } from "#modules/identity";
import type { RulingAsked, RulingInput } from "../forms.ts";
import { isId, sideOf } from "./access.ts";
import { freshAdmin, lockedAsAdmin } from "./acting.ts";
import { command } from "./apply.ts";
import { state } from "./disputes.case.ts";
import { takeCase } from "./disputes.mediate.ts";
import { loadTrade } from "./load.ts";
import { decide } from "./machine/decide.ts";
import { type Shares, sharesOf, sumToType } from "./machine/dispute.ts";
import type { Given, Trade } from "./machine/types.ts";
import { atomically, type Done, type Refused, refused } from "./outcomes.ts";

/** What a ruling would give each side, and the one sum that whoever gives it has to type. */
export type RulingShown = Shares & { sum: number };

/**
 * The sums of a ruling before it is given; nothing is changed. Refuses ADMIN_REQUIRED, TRANSACTION_NOT_FOUND, OWN_TRADE,
 * SPLIT_OUT_OF_RANGE, TRADE_OVERTAKEN.
 */
export async function previewRuling(
  actor: Actor,
  id: number,
  asked: RulingAsked,
): Promise<{ ok: true; ruling: RulingShown } | Refused> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const trade = isId(id) ? await loadTrade(id) : undefined;
  if (trade === undefined) return refused("TRANSACTION_NOT_FOUND");
  if (sideOf(trade, admin.member.userId) !== undefined) return refused("OWN_TRADE", trade);
  return figured(trade, asked, now());
}

/**
 * The mediator rules, never on their own trade: release, refund, or a split whose `refundAmount` goes to the buyer and the rest
 * of gross − fee to the seller. `sum` is the sum as they typed it out. A case that nobody has is taken by ruling on it.
 * Refuses ADMIN_REQUIRED, REAUTH_REQUIRED, OWN_TRADE, SPLIT_OUT_OF_RANGE, SUM_DIFFERS, DISPUTE_TAKEN, TRADE_OVERTAKEN.
 */
export async function ruleDispute(actor: Actor, id: number, input: RulingInput): Promise<Done | Refused> {
  const at = now();
  const fresh = freshAdmin(actor, at);
  if (!fresh.ok) return fresh;
  const doing = { at, by: by(actor) };
  return atomically(async (tx) => {
    const found = await lockedAsAdmin(tx, actor, id);
    if (!found.ok) return found;
    const { trade, member } = found;
    if (trade.status === "disputed") {
      const shown = figured(trade, input, at);
      if (!shown.ok) return shown;
      if (shown.ruling.sum !== input.sum) {
        return { ok: false, code: "SUM_DIFFERS", params: { sum: shown.ruling.sum } };
      }
      const took = await takeCase(tx, found, doing);
      if (!took.ok) return took;
      await state(tx, id, { role: "admin", member, body: input.reason, at });
    }
    return command(tx, trade, given(input), doing);
  });
}

function figured(trade: Trade, asked: RulingAsked, at: Date): { ok: true; ruling: RulingShown } | Refused {
  const decision = decide(trade, given(asked), at);
  if (!decision.ok) return decision;
  if (!decision.changed) return refused("TRADE_OVERTAKEN", trade);
  const shares = sharesOf(decision.effects);
  return { ok: true, ruling: { ...shares, sum: sumToType(asked.ruling, shares) } };
}

function given({ ruling, refundAmount }: RulingAsked): Given {
  return { kind: "rule", ruling, who: "admin", ...(refundAmount && { refundAmount }) };
}
