import { and, asc, desc, eq, gt, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import type { RestrictionKind } from "../../forms.ts";
import { isAdministratorSince } from "../administrators/administrator-grants.ts";
import { relatedAdministratorIds } from "../administrators/related-administrators.ts";
import type { Actor } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";
import { usersTable } from "../core/schema.ts";
import { findPeople } from "../core/users/people.ts";
import { linkedAccounts } from "./linked-accounts.ts";
import type { LinkedAccount, RestrictionView } from "./responses.ts";
import { type RestrictionRow, restrictionsTable } from "./schema.ts";

/** Why this administrator may not confirm a permanent restriction; null if they may. */
type ConfirmObstacle = NonNullable<RestrictionView["proposed"]>["obstacle"];

export type RestrictionList = { ok: true; restrictions: RestrictionView[]; same: LinkedAccount[] };

/** A person's latest twenty restrictions, newest first, and the restricted accounts linked with theirs. */
export async function restrictionsOf(
  actor: Actor,
  userId: number,
): Promise<RestrictionList | NotAdmin | { ok: false; code: "USER_NOT_FOUND" }> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const [user] = await db().select().from(usersTable).where(eq(usersTable.id, userId));
  if (user === undefined) return { ok: false, code: "USER_NOT_FOUND" };
  const rows = await db()
    .select()
    .from(restrictionsTable)
    .where(eq(restrictionsTable.userId, userId))
    .orderBy(desc(restrictionsTable.id))
    .limit(20);
  const same = user.deletedAt === null ? await linkedAccounts(db(), user) : [];
  return { ok: true, restrictions: await viewRestrictions(needed.member.userId, rows), same };
}

async function viewRestrictions(reader: number, rows: readonly RestrictionRow[]): Promise<RestrictionView[]> {
  const at = currentTime();
  const ids = rows.flatMap(({ placedBy, confirmedBy, endedBy }) => [placedBy, confirmedBy, endedBy]);
  const who = await findPeople(
    db(),
    ids.flatMap((id) => id ?? []),
  );
  const name = (id: number | null) => {
    const person = id === null ? undefined : who.get(id);
    return person === undefined || person.deleted ? null : person.displayName;
  };
  return Promise.all(
    rows.map(async (row) => {
      const { confirmedAt, endedAt, endedHow } = row;
      const inForce = endedAt === null && (confirmedAt !== null || row.until > at);
      const waits = inForce && row.forGood && confirmedAt === null;
      return {
        ...{ id: row.id, kind: row.kind, cause: row.cause, note: row.note, inForce },
        by: name(row.placedBy),
        at: row.placedAt.toISOString(),
        until: confirmedAt === null ? row.until.toISOString() : null,
        proposed: waits ? { obstacle: await findConfirmObstacle(reader, row, at) } : null,
        confirmed: confirmedAt && { by: name(row.confirmedBy), at: confirmedAt.toISOString() },
        ended:
          endedAt === null || endedHow === null
            ? null
            : { by: name(row.endedBy), at: endedAt.toISOString(), how: endedHow, note: row.endNote },
      };
    }),
  );
}

async function findConfirmObstacle(
  reader: number,
  { placedBy, placedAt }: RestrictionRow,
  at: Date,
): Promise<ConfirmObstacle> {
  if (placedBy === reader) return "FOUR_EYES_REQUIRED";
  if ((await relatedAdministratorIds(db(), reader, at)).includes(placedBy)) return "FOUR_EYES_RELATED";
  return (await isAdministratorSince(db(), placedBy, placedAt)) ? null : "PROPOSER_NOT_ADMIN";
}

/** A restriction that waits for a second administrator. */
export type ProposedRestriction = {
  id: number;
  userId: number;
  username: string;
  kind: RestrictionKind;
  proposedBy: string;
  proposedAt: Date;
};

/** Restrictions in force that are proposed as permanent, oldest first. For administrators only: the callers check the right. */
export async function proposedRestrictions(limit: number): Promise<ProposedRestriction[]> {
  const rows = await db()
    .select({ row: restrictionsTable, username: usersTable.username })
    .from(restrictionsTable)
    .innerJoin(usersTable, eq(usersTable.id, restrictionsTable.userId))
    .where(
      and(
        eq(restrictionsTable.forGood, true),
        isNull(restrictionsTable.confirmedAt),
        isNull(restrictionsTable.endedAt),
        gt(restrictionsTable.until, currentTime()),
      ),
    )
    .orderBy(asc(restrictionsTable.placedAt), asc(restrictionsTable.id))
    .limit(limit);
  const who = await findPeople(
    db(),
    rows.map(({ row }) => row.placedBy),
  );
  return rows.map(({ row: { id, userId, kind, placedBy, placedAt }, username }) => ({
    ...{ id, userId, username, kind },
    proposedBy: who.get(placedBy)?.displayName ?? "",
    proposedAt: placedAt,
  }));
}
