import { eq } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { now } from "#db/clock";
import { type Actor, by } from "#modules/identity";
import { type AdminGrant, requireAdminForTrade } from "../core/authorization.ts";
import { type Doing, recordChange, sayInRoom } from "../core/carry-out-effects.ts";
import { atomically, type Done, type Refused, refused } from "../core/outcomes.ts";
import { disputes } from "../core/schema.ts";
import type { DisputeStep, Trade } from "../machine/trade-types.ts";
import { mailStep } from "../notifications/mail-parties.ts";
import { paced } from "../notifications/throttles.ts";
import { lastingCase, mediatorOf, openCase, state } from "./case.ts";

/**
 * An administrator takes a dispute and is its mediator from then on; both sides are told who. Of two at once the first one has
 * it, the other is told so. Refuses ADMIN_REQUIRED, OWN_TRADE, TRADE_OVERTAKEN when none is under way, DISPUTE_TAKEN (`name`).
 */
export function takeDispute(actor: Actor, id: number): Promise<Done | Refused> {
  return onCase(actor, id, async (tx, found, { doing }) => {
    const took = await takeCase(tx, found, doing);
    if (!took.ok || !took.changed) return took;
    await tellSides(tx, found, "taken", { code: "disputeTaken", at: doing.at });
    return took;
  });
}

/** A mediator gives a case back, for another to take. Refuses what taking does, and DISPUTE_NOT_TAKEN to whoever has not got it. */
export function giveBackDispute(actor: Actor, id: number): Promise<Done | Refused> {
  return onCase(actor, id, async (tx, found, { doing, dispute }) => {
    const { trade, member } = found;
    const mediator = await mediatorOf(tx, dispute);
    if (mediator === null) return { ok: true, changed: false, trade };
    if (mediator.id !== member.userId) return taken(mediator.displayName);
    await tx.update(disputes).set({ takenBy: null, takenAt: null }).where(eq(disputes.id, dispute.id));
    await recordChange(tx, trade, doing, "give_back_dispute", { before: member.userId, after: null });
    await tellSides(tx, found, "givenBack", { code: "disputeGivenBack", at: doing.at });
    return { ok: true, changed: true, trade };
  });
}

/**
 * The mediator writes in the room. It stands there as a notice of Midman's with the mediator's name, which no member can make.
 * The same words again change nothing. Refuses what taking does, DISPUTE_NOT_TAKEN and THROTTLED.
 */
export async function writeAsMediator(
  actor: Actor,
  id: number,
  { words }: { words: string },
): Promise<Done | Refused> {
  const turn = await paced(actor);
  if (!turn.ok) return turn;
  return onCase(actor, id, async (tx, found, { doing, dispute }) => {
    const { trade, member } = found;
    const mediator = await mediatorOf(tx, dispute);
    if (mediator === null) return refused("DISPUTE_NOT_TAKEN", trade);
    if (mediator.id !== member.userId) return taken(mediator.displayName);
    const heard = await state(tx, id, { role: "admin", member, body: words, at: doing.at });
    if (heard === "same") return { ok: true, changed: false, trade };
    await recordChange(tx, trade, doing, "mediate_dispute", { length: words.length });
    await tellSides(tx, found, "mediatorWrote", { code: "mediatorSays", at: doing.at, words });
    return { ok: true, changed: true, trade };
  });
}

/** Writes down that an administrator has the case; one who has it already changes nothing. Refuses DISPUTE_TAKEN. */
export async function takeCase(tx: Tx, { trade, member }: AdminGrant, doing: Doing): Promise<Done | Refused> {
  const dispute = await openCase(tx, trade.id);
  if (dispute === undefined) return refused("TRADE_OVERTAKEN", trade);
  const mediator = await mediatorOf(tx, dispute);
  if (mediator?.id === member.userId) return { ok: true, changed: false, trade };
  if (mediator !== null) return taken(mediator.displayName);
  await tx
    .update(disputes)
    .set({ takenBy: member.userId, takenAt: doing.at })
    .where(eq(disputes.id, dispute.id));
  await recordChange(tx, trade, doing, "take_dispute", { before: dispute.takenBy, after: member.userId });
  return { ok: true, changed: true, trade };
}

/**
 * Whether somebody may decide about a trade past its disputes: of an open one its mediator alone, and what was ruled is undone
 * by whoever ruled it. Refuses DISPUTE_NOT_TAKEN, DISPUTE_TAKEN (`name`).
 */
export async function mayDecide(
  exec: Executor,
  { trade, userId }: { trade: Pick<Trade, "id" | "status">; userId: number },
): Promise<{ ok: true } | Refused> {
  const dispute = await lastingCase(exec, trade.id);
  const open = dispute?.outcome === null;
  if (dispute === undefined || !(open || isRuling(dispute))) return { ok: true };
  const mediator = await mediatorOf(exec, dispute);
  if (mediator === null) return open ? refused("DISPUTE_NOT_TAKEN", trade) : { ok: true };
  return mediator.id === userId ? { ok: true } : taken(mediator.displayName);
}

/** True while what a trade's money waits for was ruled: nothing has changed it since. */
export async function isRuled(exec: Executor, tradeId: number): Promise<boolean> {
  const dispute = await lastingCase(exec, tradeId);
  return dispute !== undefined && isRuling(dispute);
}

function isRuling({ outcome }: { outcome: string | null }): boolean {
  return outcome === "release" || outcome === "split";
}

function taken(name: string): Refused {
  return { ok: false, code: "DISPUTE_TAKEN", params: { name } };
}

type Case = { doing: Doing; dispute: NonNullable<Awaited<ReturnType<typeof openCase>>> };

/** Room, trade and so the case are locked: whoever comes second sees what the first one did. */
function onCase(
  actor: Actor,
  id: number,
  work: (tx: Tx, found: AdminGrant, of: Case) => Promise<Done | Refused>,
): Promise<Done | Refused> {
  const doing = { at: now(), by: by(actor) };
  return atomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const dispute = await openCase(tx, id);
    return dispute === undefined
      ? refused("TRADE_OVERTAKEN", found.trade)
      : work(tx, found, { doing, dispute });
  });
}

type Telling = { code: string; at: Date; words?: string };

/** Mails first, the notice last: its counter is the last lock of all. */
async function tellSides(
  tx: Tx,
  { trade, member }: AdminGrant,
  step: DisputeStep,
  { code, at, words }: Telling,
) {
  await mailStep(tx, trade, step);
  const params = { code: trade.code, userId: member.userId, ...(words !== undefined && { words }) };
  await sayInRoom(tx, trade, { code, params, at });
}
