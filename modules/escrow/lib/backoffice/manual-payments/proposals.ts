import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { findPeople, relatedAdministratorIds } from "#modules/identity";
import { type Obstacle, obstacleToConfirm } from "../../core/proposals.ts";
import { manualPaymentsTable } from "../../core/schema.ts";
import type { DiscardedProposal, ManualPaymentView, ProposalView } from "../transactions/responses.ts";

export type ManualPaymentProposal = typeof manualPaymentsTable.$inferSelect;

export const noManualPayments: ManualPaymentView = { open: null, laidAside: [] };

/** Proposals that wait for a second administrator; worded like the condition of the partial indexes. */
export const openProposalCondition = and(
  isNull(manualPaymentsTable.confirmedAt),
  isNull(manualPaymentsTable.discardedAt),
);

/** The one proposal of a trade that waits for a second administrator. */
export async function findOpenProposal(
  exec: Executor,
  tradeId: number,
): Promise<ManualPaymentProposal | undefined> {
  const [row] = await exec
    .select()
    .from(manualPaymentsTable)
    .where(and(eq(manualPaymentsTable.tradeId, tradeId), openProposalCondition));
  return row;
}

/** The proposal of any trade that has this bank reference, waiting or confirmed. */
export async function findProposalByReference(
  exec: Executor,
  reference: string,
): Promise<ManualPaymentProposal | undefined> {
  const [row] = await exec
    .select()
    .from(manualPaymentsTable)
    .where(and(eq(manualPaymentsTable.bankReference, reference), isNull(manualPaymentsTable.discardedAt)));
  return row;
}

type ProposalRow = { id: number } & Pick<ManualPaymentProposal, "proposedBy" | "proposedAt">;

/**
 * Prepares how proposals are shown to one administrator; `at` decides which grants of the right still make two people count as the same
 * reviewer.
 */
export async function prepareProposalView(
  exec: Executor,
  reader: number,
  rows: readonly ProposalRow[],
  at: Date,
): Promise<(row: ProposalRow) => ProposalView> {
  const who = await findPeople(
    exec,
    rows.map(({ proposedBy }) => proposedBy),
  );
  const seen = {
    userId: reader,
    relatedAdminIds: rows.length === 0 ? [] : await relatedAdministratorIds(exec, reader, at),
  };
  const obstacles = new Map<number, Obstacle | null>();
  for (const row of rows) obstacles.set(row.id, await obstacleToConfirm(exec, row, seen));
  return ({ id, proposedBy }) => {
    const by = who.get(proposedBy)?.displayName ?? "";
    return { id, by, own: proposedBy === reader, obstacle: obstacles.get(id) ?? null };
  };
}

/** The manual payments of a trade as one administrator sees them. */
export async function viewManualPayments(
  exec: Executor,
  tradeId: number,
  reader: number,
  at: Date,
): Promise<ManualPaymentView> {
  const open = await findOpenProposal(exec, tradeId);
  const shown = open && (await prepareProposalView(exec, reader, [open], at))(open);
  return { open: shown ?? null, laidAside: await listDiscardedProposals(exec, tradeId) };
}

/** The discarded proposals of a trade, newest first, at most 20; those that their proposer replaced are left out. */
async function listDiscardedProposals(exec: Executor, tradeId: number): Promise<DiscardedProposal[]> {
  const rows = await exec
    .select()
    .from(manualPaymentsTable)
    .where(and(eq(manualPaymentsTable.discardedFrom, tradeId), isNotNull(manualPaymentsTable.discardReason)))
    .orderBy(desc(manualPaymentsTable.id))
    .limit(20);
  return viewDiscardedProposals(exec, rows);
}

/** How discarded proposals are shown, in their order. */
export async function viewDiscardedProposals(
  exec: Executor,
  rows: ReadonlyArray<
    Pick<ManualPaymentProposal, "id" | "proposedBy" | "discardedBy" | "discardedAt" | "discardReason">
  >,
): Promise<DiscardedProposal[]> {
  const who = await findPeople(
    exec,
    rows.flatMap(({ proposedBy, discardedBy }) => [proposedBy, discardedBy ?? proposedBy]),
  );
  const name = (id: number | null) => (id === null ? "" : (who.get(id)?.displayName ?? ""));
  return rows.map(({ id, proposedBy, discardedBy, discardedAt, discardReason }) => ({
    id,
    by: name(proposedBy),
    asideBy: name(discardedBy),
    at: discardedAt?.toISOString() ?? "",
    reason: discardReason ?? "",
  }));
}
