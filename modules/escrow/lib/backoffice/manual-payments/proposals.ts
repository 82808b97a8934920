import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { findPeople, relatedAdministratorIds } from "#modules/identity";
import { type Obstacle, obstacleToConfirm } from "../../core/proposals.ts";
import { manualPaymentsTable } from "../../core/schema.ts";

export type ManualPaymentProposal = typeof manualPaymentsTable.$inferSelect;

/** A proposal as administrators see it: never with its figures, which a second one enters as they saw them at the bank. */
export type ProposalView = {
  id: number;
  by: string;
  /** The reader's own, so that somebody else must confirm it. */
  own: boolean;
  obstacle: Obstacle | null;
};

/** One that was laid aside, and why. */
export type DismissedProposal = { id: number; by: string; asideBy: string; at: string; reason: string };

/** What administrators did by hand about a trade's payment and is no money yet: what waits, and what was laid aside. */
export type ManualPaymentView = { open: ProposalView | null; laidAside: DismissedProposal[] };

export const noManualPayments: ManualPaymentView = { open: null, laidAside: [] };

/** Waiting for a second administrator, as the partial indexes have it. */
export const openProposalCondition = and(
  isNull(manualPaymentsTable.confirmedAt),
  isNull(manualPaymentsTable.laidAsideAt),
);

/** The one proposal of a trade that waits. */
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

/** The entry of any trade that holds this reference: it waits, or is confirmed. */
export async function findProposalByReference(
  exec: Executor,
  reference: string,
): Promise<ManualPaymentProposal | undefined> {
  const [row] = await exec
    .select()
    .from(manualPaymentsTable)
    .where(and(eq(manualPaymentsTable.bankReference, reference), isNull(manualPaymentsTable.laidAsideAt)));
  return row;
}

type ProposalRow = { id: number } & Pick<ManualPaymentProposal, "proposedBy" | "proposedAt">;

/** How these proposals are shown to one administrator; `at` decides which grants still tie two people together. */
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
    hands: rows.length === 0 ? [] : await relatedAdministratorIds(exec, reader, at),
  };
  const obstacles = new Map<number, Obstacle | null>();
  for (const row of rows) obstacles.set(row.id, await obstacleToConfirm(exec, row, seen));
  return ({ id, proposedBy }) => {
    const by = who.get(proposedBy)?.displayName ?? "";
    return { id, by, own: proposedBy === reader, obstacle: obstacles.get(id) ?? null };
  };
}

/** The same of one trade, for one administrator. */
export async function viewManualPayments(
  exec: Executor,
  tradeId: number,
  reader: number,
  at: Date,
): Promise<ManualPaymentView> {
  const open = await findOpenProposal(exec, tradeId);
  const shown = open && (await prepareProposalView(exec, reader, [open], at))(open);
  return { open: shown ?? null, laidAside: await listDismissedProposals(exec, tradeId) };
}

/** What was laid aside of a trade, newest first; what its proposer replaced is no part of it. */
async function listDismissedProposals(exec: Executor, tradeId: number): Promise<DismissedProposal[]> {
  const rows = await exec
    .select()
    .from(manualPaymentsTable)
    .where(and(eq(manualPaymentsTable.asideOf, tradeId), isNotNull(manualPaymentsTable.asideReason)))
    .orderBy(desc(manualPaymentsTable.id))
    .limit(20);
  return viewDismissedProposals(exec, rows);
}

/** How entries that were laid aside are shown, in their order. */
export async function viewDismissedProposals(
  exec: Executor,
  rows: ReadonlyArray<
    Pick<ManualPaymentProposal, "id" | "proposedBy" | "laidAsideBy" | "laidAsideAt" | "asideReason">
  >,
): Promise<DismissedProposal[]> {
  const who = await findPeople(
    exec,
    rows.flatMap(({ proposedBy, laidAsideBy }) => [proposedBy, laidAsideBy ?? proposedBy]),
  );
  const name = (id: number | null) => (id === null ? "" : (who.get(id)?.displayName ?? ""));
  return rows.map(({ id, proposedBy, laidAsideBy, laidAsideAt, asideReason }) => ({
    id,
    by: name(proposedBy),
    asideBy: name(laidAsideBy),
    at: laidAsideAt?.toISOString() ?? "",
    reason: asideReason ?? "",
  }));
}
