import { and, desc, eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { now } from "#db/clock";
import { type Actor, by, type Member } from "#modules/identity";
import type { RulingInput } from "../forms.ts";
import { lockedAsAdmin, lockedAsParty } from "./acting.ts";
import { command } from "./apply.ts";
import { closeDeadline } from "./deadlines.ts";
import { recordChange } from "./effects.ts";
import type { Party } from "./machine/types.ts";
import { atomically, type Done, type Refused, refused } from "./outcomes.ts";
import { paced, turning } from "./pace.ts";
import { disputeStatements, disputes } from "./schema.ts";
import { byPartyInTurn } from "./trades.ts";

/**
 * A party calls the dispute team and says why; what is due to the seller is void until it ends. Refuses NOT_PAID_YET,
 * MONEY_ALREADY_SENT, DISPUTE_OPEN (the other side opened one), TRADE_OVERTAKEN, THROTTLED.
 */
export async function openDispute(
  actor: Actor,
  id: number,
  input: { reason: string },
): Promise<Done | Refused> {
  const turn = await turning(actor, id, { kind: "open_dispute" });
  if (!turn.ok) return turn;
  const at = now();
  return atomically(async (tx) => {
    const found = await lockedAsParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party, member } = found;
    const done = await command(tx, trade, { kind: "open_dispute", who: party }, { at, by: by(actor) });
    if (done.ok && done.changed) await state(tx, id, { role: party, member, body: input.reason, at });
    return done;
  });
}

/**
 * A party explains its side; once both have, the time to do so is over. The same words again change nothing. Refuses
 * TRADE_OVERTAKEN when no dispute is under way, and THROTTLED.
 */
export async function explainDispute(
  actor: Actor,
  id: number,
  input: { reason: string },
): Promise<Done | Refused> {
  const turn = await paced(actor);
  if (!turn.ok) return turn;
  const at = now();
  return atomically(async (tx) => {
    const found = await lockedAsParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party, member } = found;
    if (trade.status !== "disputed") return refused("TRADE_OVERTAKEN", trade);
    const said = { role: party, member, body: input.reason, at };
    if (!(await state(tx, id, said))) return { ok: true, changed: false, trade };
    await recordChange(tx, trade, { at, by: by(actor) }, "explain_dispute", { who: party });
    return { ok: true, changed: true, trade };
  });
}

/** Whoever opened the dispute takes it back: all is as before. Refuses DISPUTE_NOT_YOURS, TRADE_OVERTAKEN, THROTTLED. */
export function withdrawDispute(actor: Actor, id: number): Promise<Done | Refused> {
  return byPartyInTurn(actor, id, { kind: "withdraw_dispute" });
}

/**
 * An administrator rules, never on their own trade: release, refund, or a split whose `refundAmount` goes to the buyer and the
 * rest of gross − fee to the seller. Refuses ADMIN_REQUIRED, OWN_TRADE, SPLIT_OUT_OF_RANGE, TRADE_OVERTAKEN.
 */
export function ruleDispute(actor: Actor, id: number, input: RulingInput): Promise<Done | Refused> {
  const at = now();
  return atomically(async (tx) => {
    const found = await lockedAsAdmin(tx, actor, id);
    if (!found.ok) return found;
    const { trade, member } = found;
    const { ruling, refundAmount, reason } = input;
    if (trade.status === "disputed") await state(tx, id, { role: "admin", member, body: reason, at });
    const given = { kind: "rule", ruling, who: "admin", ...(refundAmount && { refundAmount }) } as const;
    return command(tx, trade, given, { at, by: by(actor) });
  });
}

type Said = { role: Party | "admin"; member: Member; body: string; at: Date };

/** Writes down what somebody says in the latest dispute; false when it is what they said last. */
async function state(tx: Tx, tradeId: number, { role, member, body, at }: Said): Promise<boolean> {
  const [dispute] = await tx
    .select({ id: disputes.id })
    .from(disputes)
    .where(eq(disputes.tradeId, tradeId))
    .orderBy(desc(disputes.id))
    .limit(1);
  if (dispute === undefined) throw new Error(`escrow: trade ${tradeId} has no dispute`);
  const [last] = await tx
    .select({ body: disputeStatements.body })
    .from(disputeStatements)
    .where(and(eq(disputeStatements.disputeId, dispute.id), eq(disputeStatements.byUser, member.userId)))
    .orderBy(desc(disputeStatements.id))
    .limit(1);
  if (last?.body === body) return false;
  const entry = { disputeId: dispute.id, byRole: role, byUser: member.userId, body, at };
  await tx.insert(disputeStatements).values(entry);
  const heard = await tx
    .selectDistinct({ role: disputeStatements.byRole })
    .from(disputeStatements)
    .where(eq(disputeStatements.disputeId, dispute.id));
  const both = heard.filter((one) => one.role !== "admin").length === 2;
  if (both) await closeDeadline(tx, tradeId, "dispute_statements", at);
  return true;
}
