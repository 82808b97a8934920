import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { findPeople, relatedAdministratorIds } from "#modules/identity";
import { type Obstacle, obstacleToConfirm } from "../../core/proposals.ts";
import { handConfirmations } from "../../core/schema.ts";

export type Proposed = typeof handConfirmations.$inferSelect;

/** A proposal as administrators see it: never with its figures, which a second one enters as they saw them at the bank. */
export type ProposalView = {
  id: number;
  by: string;
  /** The reader's own, so that somebody else must confirm it. */
  own: boolean;
  obstacle: Obstacle | null;
};

/** One that was laid aside, and why. */
export type LaidAside = { id: number; by: string; asideBy: string; at: string; reason: string };

/** What administrators did by hand about a trade's payment and is no money yet: what waits, and what was laid aside. */
export type ByHandView = { open: ProposalView | null; laidAside: LaidAside[] };

export const nothingByHand: ByHandView = { open: null, laidAside: [] };

/** Waiting for a second administrator, as the partial indexes have it. */
export const waiting = and(isNull(handConfirmations.confirmedAt), isNull(handConfirmations.laidAsideAt));

/** The one proposal of a trade that waits. */
export async function openProposal(exec: Executor, tradeId: number): Promise<Proposed | undefined> {
  const [row] = await exec
    .select()
    .from(handConfirmations)
    .where(and(eq(handConfirmations.tradeId, tradeId), waiting));
  return row;
}

/** The entry of any trade that holds this reference: it waits, or is confirmed. */
export async function earlierUse(exec: Executor, reference: string): Promise<Proposed | undefined> {
  const [row] = await exec
    .select()
    .from(handConfirmations)
    .where(and(eq(handConfirmations.bankReference, reference), isNull(handConfirmations.laidAsideAt)));
  return row;
}

type Row = { id: number } & Pick<Proposed, "proposedBy" | "proposedAt">;

/** How these proposals are shown to one administrator; `at` decides which grants still tie two people together. */
export async function shownTo(
  exec: Executor,
  reader: number,
  rows: readonly Row[],
  at: Date,
): Promise<(row: Row) => ProposalView> {
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
export async function byHandOf(
  exec: Executor,
  tradeId: number,
  reader: number,
  at: Date,
): Promise<ByHandView> {
  const open = await openProposal(exec, tradeId);
  const shown = open && (await shownTo(exec, reader, [open], at))(open);
  return { open: shown ?? null, laidAside: await laidAsideOf(exec, tradeId) };
}

/** What was laid aside of a trade, newest first; what its proposer replaced is no part of it. */
async function laidAsideOf(exec: Executor, tradeId: number): Promise<LaidAside[]> {
  const rows = await exec
    .select()
    .from(handConfirmations)
    .where(and(eq(handConfirmations.asideOf, tradeId), isNotNull(handConfirmations.asideReason)))
    .orderBy(desc(handConfirmations.id))
    .limit(20);
  return asideShown(exec, rows);
}

/** How entries that were laid aside are shown, in their order. */
export async function asideShown(
  exec: Executor,
  rows: ReadonlyArray<Pick<Proposed, "id" | "proposedBy" | "laidAsideBy" | "laidAsideAt" | "asideReason">>,
): Promise<LaidAside[]> {
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
