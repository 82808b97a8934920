import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { now } from "#db/clock";
import { type Actor, by, relatedAdministratorIds } from "#modules/identity";
import { recordManualPayment } from "#modules/payments";
import type { ConfirmByHandInput } from "../../../forms.ts";
import { type AdminGrant, freshAdmin, requireAdminForTrade } from "../../core/authorization.ts";
import { recordChange } from "../../core/carry-out-effects.ts";
import { tradeRows } from "../../core/load-trade.ts";
import { atomically, type Done, type Refused, refused } from "../../core/outcomes.ts";
import { isProposalValid, obstacleToConfirm } from "../../core/proposals.ts";
import { handConfirmations } from "../../core/schema.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { mailAdmins } from "../../notifications/mail-parties.ts";
import { followBooking } from "../../payment/follow-booking.ts";
import { earlierUse, openProposal, type Proposed } from "./proposals.ts";

export type ByHand = Done & { state: "proposed" | "confirmed" };

/**
 * Money that two administrators saw while the provider could not be asked: the first proposes its sum and its number, a second
 * one giving the same confirms, and it is booked; the provider's later report of it is matched and never booked again. Who
 * proposed may correct their proposal until then. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED, TRANSACTION_NOT_FOUND,
 * OWN_TRADE, BANK_REFERENCE_USED, PROPOSER_NOT_ADMIN, FOUR_EYES_RELATED, PROPOSAL_DIFFERS, PAYMENT_ALREADY_BOOKED.
 */
export async function confirmByHand(
  actor: Actor,
  id: number,
  input: ConfirmByHandInput,
): Promise<ByHand | Refused> {
  const at = now();
  const fresh = freshAdmin(actor, at);
  if (!fresh.ok) return fresh;
  const wanted = { amount: input.amount, reference: input.reference.trim().toUpperCase() };
  return atomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    // Two trades' locks do not see each other: whoever brings the same slip at the same moment waits here.
    await tx.execute(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`escrow.slip:${wanted.reference}`}, 0))`,
    );
    const used = await earlierUse(tx, wanted.reference);
    if (used !== undefined && used.tradeId !== id) return usedElsewhere(tx, used, found.trade);
    if (used?.confirmedAt) {
      const repeated = used.amount === wanted.amount;
      if (!repeated) return refused("BANK_REFERENCE_USED", found.trade);
      return { ok: true, changed: false, trade: found.trade, state: "confirmed" };
    }
    const open = await openProposal(tx, id);
    if (open === undefined || open.proposedBy === found.member.userId) {
      return propose(tx, actor, found, { open, wanted }, at);
    }
    const { userId } = found.member;
    const hands = await relatedAdministratorIds(tx, userId, at);
    const kept = await obstacleToConfirm(tx, open, { userId, hands });
    if (kept !== null) return refused(kept, found.trade);
    if (open.amount !== wanted.amount || open.bankReference !== wanted.reference) {
      return refused("PROPOSAL_DIFFERS", found.trade);
    }
    return confirm(tx, actor, found, { open, hands }, at);
  });
}

type Wanted = { amount: number; reference: string };

async function propose(
  tx: Tx,
  actor: Actor,
  { trade, member }: AdminGrant,
  { open, wanted: { amount, reference } }: { open: Proposed | undefined; wanted: Wanted },
  at: Date,
): Promise<ByHand> {
  const same = open?.amount === amount && open.bankReference === reference;
  if (same && (await isProposalValid(tx, open))) {
    return { ok: true, changed: false, trade, state: "proposed" };
  }
  const { userId } = member;
  if (open !== undefined) {
    const replaced = { tradeId: null, asideOf: trade.id, laidAsideBy: userId, laidAsideAt: at };
    await tx.update(handConfirmations).set(replaced).where(eq(handConfirmations.id, open.id));
  }
  const [made] = await tx
    .insert(handConfirmations)
    .values({ tradeId: trade.id, proposedBy: userId, amount, bankReference: reference, proposedAt: at })
    .returning({ id: handConfirmations.id });
  // Every administrator reads the log: whoever is second enters the figures as they saw them, so it names the rows alone.
  const data = { before: open?.id ?? null, after: made?.id };
  await recordChange(tx, trade, { at, by: by(actor) }, "propose_by_hand", data);
  await mailAdmins(tx, trade, "confirmByHand");
  return { ok: true, changed: true, trade, state: "proposed" };
}

async function confirm(
  tx: Tx,
  actor: Actor,
  { trade, member }: AdminGrant,
  { open, hands }: { open: Proposed; hands: readonly number[] },
  at: Date,
): Promise<ByHand | Refused> {
  const { amount, bankReference, proposedBy, proposedAt } = open;
  const doing = { at, by: by(actor) };
  const owed = trade.endedAt === null ? trade.gross : 0;
  const both = { proposedBy, confirmedBy: member.userId };
  const booked = await recordManualPayment(tx, {
    reference: trade.id,
    amount,
    owed,
    bankReference,
    ...both,
    proposedAt,
    hands,
    ...doing,
  });
  if (!booked.ok) return refused(booked.code, trade);
  await tx
    .update(handConfirmations)
    .set({ confirmedBy: member.userId, confirmedAt: at })
    .where(eq(handConfirmations.id, open.id));
  await recordChange(tx, trade, doing, "confirm_by_hand", {
    proposal: open.id,
    amount,
    bankReference,
    ...both,
  });
  const source = { who: "admin", complete: false, failed: false } as const;
  const done = await followBooking(tx, trade, { ...booked, came: amount }, source, doing);
  if (!done.ok) return done;
  return { ...done, changed: true, state: "confirmed" };
}

/** Names the transaction where it was entered: its proposal may have left the work, and be found nowhere else. */
async function usedElsewhere(tx: Tx, { tradeId, confirmedAt }: Proposed, trade: Trade): Promise<Refused> {
  const [other] = tradeId === null ? [] : await tradeRows(tx, [tradeId]);
  const says = confirmedAt === null ? "admin.byHandPage.slipEntered" : "admin.byHandPage.slipConfirmed";
  return { ...refused("BANK_REFERENCE_USED", trade), says, params: { code: other?.code ?? "" } };
}
