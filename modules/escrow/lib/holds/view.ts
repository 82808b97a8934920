import { db } from "#db/client";
import { currentTime } from "#db/clock";
import {
  type Actor,
  findPeople,
  type NotAdmin,
  relatedAdministratorIds,
  requireAdmin,
} from "#modules/identity";
import {
  type Hold,
  holdsOf,
  isClearedByProvider,
  listOpenHolds,
  needsSecondPerson,
  resolutionsOf,
} from "#modules/payments";
import { loadTrade, tradeRows } from "../core/load-trade.ts";
import { sideOf } from "../core/party-access.ts";
import { obstacleToConfirm } from "../core/proposals.ts";
import type { HoldView } from "./responses.ts";

/** The open holds of all trades, oldest first, at most `limit`. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function tradesOnHold(
  actor: Actor,
  limit = 100,
): Promise<{ ok: true; holds: HoldView[] } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  return { ok: true, holds: await shownHolds(admin.member.userId, await listOpenHolds(db(), limit)) };
}

/** Every hold that a trade ever had: open ones first, then the newest. Also refuses TRANSACTION_NOT_FOUND. */
export async function holdsOfTrade(
  actor: Actor,
  tradeId: number,
): Promise<
  | { ok: true; holds: HoldView[]; code: string; ownTrade: boolean }
  | NotAdmin
  | { ok: false; code: "TRANSACTION_NOT_FOUND" }
> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const trade = await loadTrade(tradeId);
  if (trade === undefined) return { ok: false, code: "TRANSACTION_NOT_FOUND" };
  const rows = (await holdsOf(db(), tradeId)).sort(
    (a, b) => Number(a.closedAt !== null) - Number(b.closedAt !== null) || b.id - a.id,
  );
  const ownTrade = sideOf(trade, admin.member.userId) !== undefined;
  return { ok: true, holds: await shownHolds(admin.member.userId, rows), code: trade.code, ownTrade };
}

async function shownHolds(reader: number, rows: readonly Hold[]): Promise<HoldView[]> {
  const ids = rows.flatMap(({ openedBy, proposedBy, closedBy }) => [openedBy, proposedBy, closedBy]);
  const [who, hands, codes] = await Promise.all([
    findPeople(
      db(),
      ids.flatMap((id) => id ?? []),
    ),
    relatedAdministratorIds(db(), reader, currentTime()),
    codesOf(rows),
  ]);
  const name = (id: number | null) => (id === null ? null : (who.get(id)?.displayName ?? ""));
  return Promise.all(
    rows.map(async (hold) => {
      const { otherReference, ...facts } = hold.facts;
      const { proposedBy, proposedOutcome, proposedAt, proposedNote } = hold;
      return {
        id: hold.id,
        reason: hold.reason,
        transaction: { id: hold.reference, code: codes.get(hold.reference) ?? "" },
        other:
          otherReference === undefined ? null : { id: otherReference, code: codes.get(otherReference) ?? "" },
        facts,
        openedAt: hold.openedAt.toISOString(),
        openedBy: name(hold.openedBy),
        clearsItself: isClearedByProvider(hold.reason),
        resolutions: hold.closedAt === null ? await resolutionsShown(hold) : [],
        proposal:
          proposedBy === null || proposedAt === null || proposedOutcome === null || hold.closedAt !== null
            ? null
            : {
                outcome: proposedOutcome,
                by: name(proposedBy) ?? "",
                own: proposedBy === reader,
                at: proposedAt.toISOString(),
                note: proposedNote ?? "",
                obstacle: await obstacleToConfirm(
                  db(),
                  { proposedBy, proposedAt },
                  { userId: reader, hands },
                ),
              },
        closed: closedView(hold, name(hold.closedBy)),
      };
    }),
  );
}

function closedView({ closedAt, outcome, note }: Hold, by: string | null): HoldView["closed"] {
  return closedAt === null || outcome === null ? null : { at: closedAt.toISOString(), outcome, by, note };
}

async function resolutionsShown(hold: Hold): Promise<HoldView["resolutions"]> {
  return Promise.all(
    resolutionsOf(hold).map(async (outcome) => {
      return { outcome, twoPeople: await needsSecondPerson(db(), hold, outcome) };
    }),
  );
}

async function codesOf(rows: readonly Hold[]): Promise<Map<number, string>> {
  const ids = rows.flatMap(({ reference, facts }) => [reference, facts.otherReference ?? reference]);
  return new Map((await tradeRows(db(), [...new Set(ids)])).map(({ id, code }) => [id, code]));
}
