import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, findPeople, type NotAdmin, requireAdmin } from "#modules/identity";
import { listDiscardedSettlements, settlementsRecorded, settlementsWaiting } from "#modules/payments";
import { prepareProposalView, viewDiscardedProposals } from "../manual-payments/proposals.ts";
import type { Settlements } from "./responses.ts";

const PAGE = 25;
const maxWaitingSettlements = 100;
const ASIDE = 20;

/**
 * QPay's settlements: entries that wait, posted ones, newest first, from `before` on, and discarded entries. Refuses AUTH_REQUIRED,
 * ADMIN_REQUIRED.
 */
export async function readSettlements(
  actor: Actor,
  input: { before?: number | undefined } = {},
): Promise<{ ok: true; settlements: Settlements } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const [waiting, found, aside] = await Promise.all([
    settlementsWaiting(db(), maxWaitingSettlements),
    settlementsRecorded(db(), { limit: PAGE + 1, before: input.before }),
    listDiscardedSettlements(db(), ASIDE),
  ]);
  const shown = found.slice(0, PAGE);
  const [show, laidAside, who] = await Promise.all([
    prepareProposalView(db(), admin.member.userId, waiting, currentTime()),
    viewDiscardedProposals(db(), aside),
    findPeople(
      db(),
      shown.flatMap(({ proposedBy, confirmedBy }) => [proposedBy, confirmedBy ?? proposedBy]),
    ),
  ]);
  const name = (id: number | null) => (id === null ? "" : (who.get(id)?.displayName ?? ""));
  const recorded = shown.map(({ id, bankReference, received, cost, ...row }) => ({
    ...{ id, bankReference, received, cost },
    enteredBy: name(row.proposedBy),
    confirmedBy: name(row.confirmedBy),
    at: row.confirmedAt?.toISOString() ?? "",
  }));
  return {
    ok: true,
    settlements: {
      waiting: waiting.map((row) => ({ ...show(row), enteredAt: row.proposedAt.toISOString() })),
      recorded,
      next: found.length > PAGE ? (shown.at(-1)?.journalId ?? null) : null,
      laidAside,
    },
  };
}
