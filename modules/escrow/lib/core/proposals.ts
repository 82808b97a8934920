import type { Executor } from "#db/client";
import { isAdministratorSince } from "#modules/identity";

/** Why nobody, or not this administrator, may confirm a proposal. */
export const confirmObstacles = ["PROPOSER_NOT_ADMIN", "FOUR_EYES_RELATED"] as const;
export type Obstacle = (typeof confirmObstacles)[number];

/** What an administrator proposed and a second one must confirm: a ruling, money seen at the bank, the end of a hold. */
type Proposal = { proposedBy: number; proposedAt: Date };

/** False once the proposer has lost the administrator's right; a right granted again later does not revive the proposal. */
export function isProposalValid(exec: Executor, { proposedBy, proposedAt }: Proposal): Promise<boolean> {
  return isAdministratorSince(exec, proposedBy, proposedAt);
}

/**
 * Why an administrator cannot confirm a proposal: it is no longer valid, or its proposer counts as the same reviewer
 * (`relatedAdministratorIds`). Null if they may confirm it. Null, too, for the proposer of a valid proposal: callers must check for that
 * first.
 */
export async function obstacleToConfirm(
  exec: Executor,
  proposal: Proposal,
  { userId, hands }: { userId: number; hands: readonly number[] },
): Promise<Obstacle | null> {
  if (!(await isProposalValid(exec, proposal))) return "PROPOSER_NOT_ADMIN";
  const { proposedBy } = proposal;
  return proposedBy !== userId && hands.includes(proposedBy) ? "FOUR_EYES_RELATED" : null;
}
