import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { findPeople } from "#modules/identity";
import type { AdminGrant } from "../../core/authorization.ts";
import { type ChangeContext, recordChange } from "../../core/carry-out-effects.ts";
import type { TradeResult } from "../../core/outcomes.ts";
import { isProposalValid, type Obstacle, obstacleToConfirm } from "../../core/proposals.ts";
import type { Ruling } from "../../machine/trade-types.ts";
import { mailAdmins } from "../../notifications/mail-parties.ts";
import { type RulingProposal, type RulingWarning, rulingProposalsTable } from "./schema.ts";

/** A proposed ruling as administrators see it. Sums are whole tugrik. */
export type RulingProposalView = {
  id: number;
  by: string;
  /** True if the reader proposed it, so that someone else must confirm it. */
  own: boolean;
  /** Why nobody, or not this reader, may confirm it. */
  obstacle: Obstacle | null;
  at: string;
  ruling: Ruling;
  refundAmount: number | null;
  /** The sum that the administrator who confirms it must type. */
  sum: number;
  reason: string;
  warnings: RulingWarning[];
};

const openRulingCondition = and(
  isNull(rulingProposalsTable.confirmedAt),
  isNull(rulingProposalsTable.withdrawnAt),
);

/** The proposals that wait for a second administrator, by the id of their dispute. */
export async function findOpenRulings(
  exec: Executor,
  disputeIds: readonly number[],
): Promise<Map<number, RulingProposal>> {
  if (disputeIds.length === 0) return new Map();
  const rows = await exec
    .select()
    .from(rulingProposalsTable)
    .where(and(inArray(rulingProposalsTable.disputeId, [...disputeIds]), openRulingCondition));
  return new Map(rows.map((row) => [row.disputeId, row]));
}

/** Finds a proposal, whether it is open, confirmed or withdrawn. */
export async function findRulingProposal(exec: Executor, id: number): Promise<RulingProposal | undefined> {
  const [row] = await exec.select().from(rulingProposalsTable).where(eq(rulingProposalsTable.id, id));
  return row;
}

/** A proposal as one administrator sees it. `reader.relatedAdminIds`: the administrators who count as the same reviewer. */
export async function viewRulingProposal(
  exec: Executor,
  row: RulingProposal,
  reader: { userId: number; relatedAdminIds: readonly number[] },
): Promise<RulingProposalView> {
  const proposer = (await findPeople(exec, [row.proposedBy])).get(row.proposedBy);
  const { id, proposedAt, ruling, refundAmount, sum, reason, warnings } = row;
  return {
    ...{ id, ruling, refundAmount, sum, warnings, reason: reason ?? "", at: proposedAt.toISOString() },
    by: proposer?.displayName ?? "",
    own: row.proposedBy === reader.userId,
    obstacle: await obstacleToConfirm(exec, row, reader),
  };
}

type ProposedRuling = Pick<RulingProposal, "ruling" | "refundAmount" | "sum" | "warnings"> & {
  reason: string;
};

/**
 * Records the ruling that the mediator proposes, in place of an open proposal, and notifies the administrators. Repeating it changes
 * nothing.
 */
export async function proposeRuling(
  tx: Tx,
  { trade, member }: AdminGrant,
  disputeId: number,
  given: ProposedRuling,
  changeContext: ChangeContext,
): Promise<TradeResult> {
  const open = (await findOpenRulings(tx, [disputeId])).get(disputeId);
  const { userId } = member;
  const keys = ["ruling", "refundAmount", "sum", "reason"] as const;
  const same = open?.proposedBy === userId && keys.every((key) => open[key] === given[key]);
  if (same && (await isProposalValid(tx, open))) {
    return { ok: true, changed: false, trade };
  }
  if (open !== undefined) await endProposal(tx, open, userId, changeContext.at);
  const [made] = await tx
    .insert(rulingProposalsTable)
    .values({ ...given, tradeId: trade.id, disputeId, proposedBy: userId, proposedAt: changeContext.at })
    .returning({ id: rulingProposalsTable.id });
  const { ruling, refundAmount, sum, warnings } = given;
  const data = { proposal: made?.id, before: open?.id ?? null, ruling, refundAmount, sum, warnings };
  await recordChange(tx, trade, changeContext, "propose_ruling", data);
  await mailAdmins(tx, trade, "rulingProposed");
  return { ok: true, changed: true, trade };
}

/** Withdraws a proposal. */
export async function endProposal(tx: Tx, { id }: RulingProposal, by: number, at: Date): Promise<void> {
  await tx
    .update(rulingProposalsTable)
    .set({ withdrawnBy: by, withdrawnAt: at })
    .where(eq(rulingProposalsTable.id, id));
}
