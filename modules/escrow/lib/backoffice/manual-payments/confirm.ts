import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf, relatedAdministratorIds } from "#modules/identity";
import { recordManualPayment } from "#modules/payments";
import type { ManualPaymentInput } from "../../../forms.ts";
import {
  type AdminGrant,
  type NoAdminGrant,
  requireAdminForTrade,
  requireFreshAdmin,
} from "../../core/authorization.ts";
import { recordChange } from "../../core/carry-out-effects.ts";
import { tradeRows } from "../../core/load-trade.ts";
import { refuseAction, runAtomically, type TradeRefusal, type TradeResult } from "../../core/outcomes.ts";
import { isProposalValid, type Obstacle, obstacleToConfirm } from "../../core/proposals.ts";
import { manualPaymentsTable } from "../../core/schema.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { mailAdmins } from "../../notifications/mail-parties.ts";
import { followBooking } from "../../payment/follow-booking.ts";
import { findOpenProposal, findProposalByReference, type ManualPaymentProposal } from "./proposals.ts";

export type ManualPaymentResult = TradeResult & { state: "proposed" | "confirmed" };

/**
 * Confirms a payment that two administrators saw while the provider could not be asked. The first one proposes its amount and its bank
 * reference; a second one who enters the same confirms it, and it is booked. The provider's later report of the payment is matched and
 * never booked again. Until then the proposer may correct the proposal. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED,
 * TRANSACTION_NOT_FOUND, OWN_TRADE, BANK_REFERENCE_USED, PROPOSER_NOT_ADMIN, FOUR_EYES_RELATED, PROPOSAL_DIFFERS, PAYMENT_ALREADY_BOOKED.
 */
export async function confirmManualPayment(actor: Actor, id: number, input: ManualPaymentInput) {
  const at = currentTime();
  const fresh = requireFreshAdmin(actor, at);
  if (!fresh.ok) return fresh;
  const wanted = { amount: input.amount, reference: input.reference.trim().toUpperCase() };
  return runAtomically(
    async (tx): Promise<ManualPaymentResult | NoAdminGrant | TradeRefusal<ManualPaymentRefusal>> => {
      const found = await requireAdminForTrade(tx, actor, id);
      if (!found.ok) return found;
      // The locks of two trades do not exclude each other: without this one, the same bank reference could be entered for both at once.
      await tx.execute(
        sql`SELECT pg_advisory_xact_lock(hashtextextended(${`escrow.slip:${wanted.reference}`}, 0))`,
      );
      const used = await findProposalByReference(tx, wanted.reference);
      if (used !== undefined && used.tradeId !== id) return refuseUsedReference(tx, used, found.trade);
      if (used?.confirmedAt) {
        const repeated = used.amount === wanted.amount;
        if (!repeated) return refuseAction("BANK_REFERENCE_USED", found.trade);
        return { ok: true, changed: false, trade: found.trade, state: "confirmed" };
      }
      const open = await findOpenProposal(tx, id);
      if (open === undefined || open.proposedBy === found.member.userId) {
        return proposeManualPayment(tx, actor, found, { open, wanted }, at);
      }
      const { userId } = found.member;
      const relatedAdminIds = await relatedAdministratorIds(tx, userId, at);
      const kept = await obstacleToConfirm(tx, open, { userId, relatedAdminIds });
      if (kept !== null) return refuseAction(kept, found.trade);
      if (open.amount !== wanted.amount || open.bankReference !== wanted.reference) {
        return refuseAction("PROPOSAL_DIFFERS", found.trade);
      }
      return bookManualPayment(tx, actor, found, { open, relatedAdminIds }, at);
    },
  );
}

type ManualPaymentRefusal = Obstacle | "PROPOSAL_DIFFERS" | "BANK_REFERENCE_USED" | "PAYMENT_ALREADY_BOOKED";

type EnteredPayment = { amount: number; reference: string };

async function proposeManualPayment(
  tx: Tx,
  actor: Actor,
  { trade, member }: AdminGrant,
  {
    open,
    wanted: { amount, reference },
  }: { open: ManualPaymentProposal | undefined; wanted: EnteredPayment },
  at: Date,
): Promise<ManualPaymentResult> {
  const same = open?.amount === amount && open.bankReference === reference;
  if (same && (await isProposalValid(tx, open))) {
    return { ok: true, changed: false, trade, state: "proposed" };
  }
  const { userId } = member;
  if (open !== undefined) {
    const replaced = { tradeId: null, discardedFrom: trade.id, discardedBy: userId, discardedAt: at };
    await tx.update(manualPaymentsTable).set(replaced).where(eq(manualPaymentsTable.id, open.id));
  }
  const [made] = await tx
    .insert(manualPaymentsTable)
    .values({ tradeId: trade.id, proposedBy: userId, amount, bankReference: reference, proposedAt: at })
    .returning({ id: manualPaymentsTable.id });
  // Every administrator reads the log, and the second one must enter the figures as they saw them, so the entry names only the rows.
  const data = { before: open?.id ?? null, after: made?.id };
  await recordChange(tx, trade, { at, by: auditAuthorOf(actor) }, "propose_by_hand", data);
  await mailAdmins(tx, trade, "confirmByHand");
  return { ok: true, changed: true, trade, state: "proposed" };
}

async function bookManualPayment(
  tx: Tx,
  actor: Actor,
  { trade, member }: AdminGrant,
  { open, relatedAdminIds }: { open: ManualPaymentProposal; relatedAdminIds: readonly number[] },
  at: Date,
): Promise<ManualPaymentResult | TradeRefusal<ManualPaymentRefusal>> {
  const { amount, bankReference, proposedBy, proposedAt } = open;
  const changeContext = { at, by: auditAuthorOf(actor) };
  const owed = trade.endedAt === null ? trade.gross : 0;
  const both = { proposedBy, confirmedBy: member.userId };
  const booked = await recordManualPayment(tx, {
    reference: trade.id,
    amount,
    owed,
    bankReference,
    ...both,
    proposedAt,
    relatedAdminIds,
    ...changeContext,
  });
  if (!booked.ok) {
    const { code } = booked;
    if (code === "BANK_REFERENCE_USED" || code === "PAYMENT_ALREADY_BOOKED") return refuseAction(code, trade);
    // The form has checked the amount, and the caller that two administrators entered it.
    throw new Error(`escrow: a payment was not booked: ${code}`);
  }
  await tx
    .update(manualPaymentsTable)
    .set({ confirmedBy: member.userId, confirmedAt: at })
    .where(eq(manualPaymentsTable.id, open.id));
  await recordChange(tx, trade, changeContext, "confirm_by_hand", {
    proposal: open.id,
    amount,
    bankReference,
    ...both,
  });
  const source = { who: "admin", complete: false, failed: false } as const;
  const done = await followBooking(tx, trade, { ...booked, came: amount }, source, changeContext);
  if (!done.ok) return done;
  return { ...done, changed: true, state: "confirmed" };
}

/**
 * Refuses BANK_REFERENCE_USED with the code of the transaction where it was entered: the proposal may have left the work queue, and is
 * shown nowhere else.
 */
async function refuseUsedReference(
  tx: Tx,
  { tradeId, confirmedAt }: ManualPaymentProposal,
  trade: Trade,
): Promise<TradeRefusal<"BANK_REFERENCE_USED">> {
  const [other] = tradeId === null ? [] : await tradeRows(tx, [tradeId]);
  const textKey = confirmedAt === null ? "admin.byHandPage.slipEntered" : "admin.byHandPage.slipConfirmed";
  return { ...refuseAction("BANK_REFERENCE_USED", trade), textKey, params: { code: other?.code ?? "" } };
}
