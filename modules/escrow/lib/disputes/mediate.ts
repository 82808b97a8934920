import { eq } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { type AdminGrant, type NoAdminGrant, requireAdminForTrade } from "../core/authorization.ts";
import { type ChangeContext, postTradeNotice, recordChange } from "../core/carry-out-effects.ts";
import {
  type RefusalCode,
  refuseAction,
  runAtomically,
  type TradeRefusal,
  type TradeResult,
} from "../core/outcomes.ts";
import { disputesTable } from "../core/schema.ts";
import type { DisputeStep, Trade } from "../machine/trade-types.ts";
import { mailDisputeStep } from "../notifications/mail-parties.ts";
import { throttleWrites } from "../notifications/throttles.ts";
import { findDecidingCase, findOpenCase, mediatorOf, recordStatement } from "./dispute-cases.ts";

/** Result of what an administrator does with a dispute; `Code` is what this alone refuses with. */
type CaseResult<Code extends RefusalCode> =
  | TradeResult
  | NoAdminGrant
  | TradeRefusal<Code | "TRADE_OVERTAKEN" | "RECORD_ALTERED">;

/**
 * Makes an administrator the mediator of a dispute and notifies both parties who it is. If two administrators take it at once, the first
 * one gets it and the second is refused. Refuses ADMIN_REQUIRED, OWN_TRADE, TRADE_OVERTAKEN if no dispute is open, DISPUTE_TAKEN (`name`).
 */
export function takeDispute(actor: Actor, id: number): Promise<CaseResult<"DISPUTE_TAKEN">> {
  return changeCase(actor, id, async (tx, found, { changeContext }) => {
    const took = await takeCase(tx, found, changeContext);
    if (!took.ok || !took.changed) return took;
    await notifySides(tx, found, "taken", { code: "disputeTaken", at: changeContext.at });
    return took;
  });
}

/** Gives a case back for another administrator to take. Refuses what `takeDispute` refuses; DISPUTE_TAKEN to anyone but its mediator. */
export function giveBackDispute(actor: Actor, id: number): Promise<CaseResult<"DISPUTE_TAKEN">> {
  return changeCase(actor, id, async (tx, found, { changeContext, dispute }) => {
    const { trade, member } = found;
    const mediator = await mediatorOf(tx, dispute);
    if (mediator === null) return { ok: true, changed: false, trade };
    if (mediator.id !== member.userId) return refuseTakenCase(mediator.displayName);
    await tx
      .update(disputesTable)
      .set({ takenBy: null, takenAt: null })
      .where(eq(disputesTable.id, dispute.id));
    await recordChange(tx, trade, changeContext, "give_back_dispute", { before: member.userId, after: null });
    await notifySides(tx, found, "givenBack", { code: "disputeGivenBack", at: changeContext.at });
    return { ok: true, changed: true, trade };
  });
}

/**
 * Posts a message of the mediator in the room: a notice of Midman's with the mediator's name, which no member can make. Repeating the same
 * text changes nothing. Refuses what `takeDispute` refuses, DISPUTE_NOT_TAKEN and THROTTLED.
 */
export async function writeAsMediator(
  actor: Actor,
  id: number,
  { words }: { words: string },
): Promise<CaseResult<"DISPUTE_NOT_TAKEN" | "DISPUTE_TAKEN"> | ThrottleRefusal> {
  const turn = await throttleWrites(actor);
  if (!turn.ok) return turn;
  return changeCase(actor, id, async (tx, found, { changeContext, dispute }) => {
    const { trade, member } = found;
    const mediator = await mediatorOf(tx, dispute);
    if (mediator === null) return refuseAction("DISPUTE_NOT_TAKEN", trade);
    if (mediator.id !== member.userId) return refuseTakenCase(mediator.displayName);
    const heard = await recordStatement(tx, id, { role: "admin", member, body: words, at: changeContext.at });
    if (heard === "same") return { ok: true, changed: false, trade };
    await recordChange(tx, trade, changeContext, "mediate_dispute", { length: words.length });
    await notifySides(tx, found, "mediatorWrote", { code: "mediatorSays", at: changeContext.at, words });
    return { ok: true, changed: true, trade };
  });
}

/**
 * Records an administrator as the mediator; if they already are, nothing changes. Refuses DISPUTE_TAKEN, and TRADE_OVERTAKEN if no dispute
 * is open.
 */
export async function takeCase(
  tx: Tx,
  { trade, member }: AdminGrant,
  changeContext: ChangeContext,
): Promise<TradeResult | TradeRefusal<"TRADE_OVERTAKEN" | "DISPUTE_TAKEN">> {
  const dispute = await findOpenCase(tx, trade.id);
  if (dispute === undefined) return refuseAction("TRADE_OVERTAKEN", trade);
  const mediator = await mediatorOf(tx, dispute);
  if (mediator?.id === member.userId) return { ok: true, changed: false, trade };
  if (mediator !== null) return refuseTakenCase(mediator.displayName);
  await tx
    .update(disputesTable)
    .set({ takenBy: member.userId, takenAt: changeContext.at })
    .where(eq(disputesTable.id, dispute.id));
  await recordChange(tx, trade, changeContext, "take_dispute", {
    before: dispute.takenBy,
    after: member.userId,
  });
  return { ok: true, changed: true, trade };
}

/**
 * Whether an administrator may decide about a trade that has a dispute. While the dispute is open, only its mediator may; a ruling may be
 * undone only by the mediator who gave it, or by anyone once that person is no longer an administrator. Refuses DISPUTE_NOT_TAKEN,
 * DISPUTE_TAKEN (`name`).
 */
export async function mayDecide(
  exec: Executor,
  { trade, userId }: { trade: Pick<Trade, "id" | "status">; userId: number },
): Promise<{ ok: true } | TradeRefusal<"DISPUTE_NOT_TAKEN" | "DISPUTE_TAKEN">> {
  const dispute = await findDecidingCase(exec, trade.id);
  const open = dispute?.outcome === null;
  if (dispute === undefined || !(open || isRuling(dispute))) return { ok: true };
  const mediator = await mediatorOf(exec, dispute);
  if (mediator === null) return open ? refuseAction("DISPUTE_NOT_TAKEN", trade) : { ok: true };
  return mediator.id === userId ? { ok: true } : refuseTakenCase(mediator.displayName);
}

/** True while a ruling decides where the trade's money goes, and no later dispute has replaced it. */
export async function isRuled(exec: Executor, tradeId: number): Promise<boolean> {
  const dispute = await findDecidingCase(exec, tradeId);
  return dispute !== undefined && isRuling(dispute);
}

function isRuling({ outcome }: { outcome: string | null }): boolean {
  return outcome === "release" || outcome === "split";
}

function refuseTakenCase(name: string): TradeRefusal<"DISPUTE_TAKEN"> {
  return { ok: false, code: "DISPUTE_TAKEN", params: { name } };
}

type OpenCase = {
  changeContext: ChangeContext;
  dispute: NonNullable<Awaited<ReturnType<typeof findOpenCase>>>;
};

/** Locks room, trade and so the case: the second of two administrators sees what the first one did. */
function changeCase<Code extends RefusalCode>(
  actor: Actor,
  id: number,
  work: (tx: Tx, found: AdminGrant, of: OpenCase) => Promise<TradeResult | TradeRefusal<Code>>,
): Promise<CaseResult<Code>> {
  const changeContext = { at: currentTime(), by: auditAuthorOf(actor) };
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const dispute = await findOpenCase(tx, id);
    return dispute === undefined
      ? refuseAction("TRADE_OVERTAKEN", found.trade)
      : work(tx, found, { changeContext, dispute });
  });
}

type MediatorNotice = { code: string; at: Date; words?: string };

/** Mails first, the notice last: the room's message counter is the last lock in the lock order. */
async function notifySides(
  tx: Tx,
  { trade, member }: AdminGrant,
  step: DisputeStep,
  { code, at, words }: MediatorNotice,
) {
  await mailDisputeStep(tx, trade, step);
  const params = { code: trade.code, userId: member.userId, ...(words !== undefined && { words }) };
  await postTradeNotice(tx, trade, { code, params, at });
}
