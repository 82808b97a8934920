import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { findPeople } from "#modules/identity";
import type { AdminGrant } from "../../core/authorization.ts";
import { type Doing, recordChange } from "../../core/carry-out-effects.ts";
import type { Done } from "../../core/outcomes.ts";
import { isProposalValid, type Obstacle, obstacleToConfirm } from "../../core/proposals.ts";
import type { Ruling } from "../../machine/trade-types.ts";
import { mailAdmins } from "../../notifications/mail-parties.ts";
import { type RulingProposal, type RulingWarning, rulingProposals } from "./schema.ts";

/** A proposed ruling as administrators see it. Sums are whole tugrik. */
export type RulingProposalView = {
  id: number;
  by: string;
  /** The reader's own, so that somebody else must confirm it. */
  own: boolean;
  /** Why nobody, or not this reader, may confirm it. */
  obstacle: Obstacle | null;
  at: string;
  ruling: Ruling;
  refundAmount: number | null;
  /** The one sum that whoever confirms it types. */
  sum: number;
  reason: string;
  warnings: RulingWarning[];
};

const waits = and(isNull(rulingProposals.confirmedAt), isNull(rulingProposals.withdrawnAt));

/** The proposals that wait for a second administrator, by their dispute. */
export async function openRulings(
  exec: Executor,
  disputeIds: readonly number[],
): Promise<Map<number, RulingProposal>> {
  if (disputeIds.length === 0) return new Map();
  const rows = await exec
    .select()
    .from(rulingProposals)
    .where(and(inArray(rulingProposals.disputeId, [...disputeIds]), waits));
  return new Map(rows.map((row) => [row.disputeId, row]));
}

/** One proposal, whatever became of it. */
export async function rulingProposal(exec: Executor, id: number): Promise<RulingProposal | undefined> {
  const [row] = await exec.select().from(rulingProposals).where(eq(rulingProposals.id, id));
  return row;
}

/** How a proposal is shown to one administrator, and with whom they are one pair of eyes. */
export async function rulingShownTo(
  exec: Executor,
  row: RulingProposal,
  reader: { userId: number; hands: readonly number[] },
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

type Proposed = Pick<RulingProposal, "ruling" | "refundAmount" | "sum" | "warnings"> & { reason: string };

/**
 * Writes down what the mediator would rule, in place of what waited before, and tells the administrators. The same again changes
 * nothing.
 */
export async function proposeRuling(
  tx: Tx,
  { trade, member }: AdminGrant,
  disputeId: number,
  given: Proposed,
  doing: Doing,
): Promise<Done> {
  const open = (await openRulings(tx, [disputeId])).get(disputeId);
  const { userId } = member;
  const keys = ["ruling", "refundAmount", "sum", "reason"] as const;
  const same = open?.proposedBy === userId && keys.every((key) => open[key] === given[key]);
  if (same && (await isProposalValid(tx, open))) {
    return { ok: true, changed: false, trade };
  }
  if (open !== undefined) await endProposal(tx, open, userId, doing.at);
  const [made] = await tx
    .insert(rulingProposals)
    .values({ ...given, tradeId: trade.id, disputeId, proposedBy: userId, proposedAt: doing.at })
    .returning({ id: rulingProposals.id });
  const { ruling, refundAmount, sum, warnings } = given;
  const data = { proposal: made?.id, before: open?.id ?? null, ruling, refundAmount, sum, warnings };
  await recordChange(tx, trade, doing, "propose_ruling", data);
  await mailAdmins(tx, trade, "rulingProposed");
  return { ok: true, changed: true, trade };
}

/** A proposal waits for nobody any more. */
export async function endProposal(tx: Tx, { id }: RulingProposal, by: number, at: Date): Promise<void> {
  await tx
    .update(rulingProposals)
    .set({ withdrawnBy: by, withdrawnAt: at })
    .where(eq(rulingProposals.id, id));
}
