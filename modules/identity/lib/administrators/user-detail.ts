import { count, desc, eq, max } from "drizzle-orm";
import { db } from "#db/client";
import type { Actor } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";
import {
  type ProfileFields,
  passkeysTable,
  profileChangesTable,
  sessionsTable,
  usersTable,
} from "../core/schema.ts";
import { findPeople } from "../core/users/people.ts";
import { type AdminUserView, toAdminUserView } from "./search-people.ts";

/** A change that an administrator made to a profile; `by` is null once that administrator is deleted. */
export type ProfileChange = {
  id: number;
  at: string;
  by: string | null;
  before: ProfileFields;
  after: ProfileFields;
};

/** One person for administrators: the profile, sign-ins, and the ten latest changes that administrators made. */
export type AdminUserDetail = {
  ok: true;
  user: AdminUserView;
  passkeys: number;
  devices: number;
  lastSeenAt: string | null;
  changes: ProfileChange[];
};

/** One person for administrators, also if deleted. Refuses USER_NOT_FOUND. */
export async function readUserAsAdmin(
  actor: Actor,
  userId: number,
): Promise<AdminUserDetail | NotAdmin | { ok: false; code: "USER_NOT_FOUND" }> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const [[user], [signedIn], [own], changes] = await Promise.all([
    db().select().from(usersTable).where(eq(usersTable.id, userId)),
    db()
      .select({ devices: count(), last: max(sessionsTable.lastSeenAt) })
      .from(sessionsTable)
      .where(eq(sessionsTable.userId, userId)),
    db().select({ passkeys: count() }).from(passkeysTable).where(eq(passkeysTable.userId, userId)),
    db()
      .select()
      .from(profileChangesTable)
      .where(eq(profileChangesTable.userId, userId))
      .orderBy(desc(profileChangesTable.id))
      .limit(10),
  ]);
  if (user === undefined) return { ok: false, code: "USER_NOT_FOUND" };
  const known = await findPeople(
    db(),
    changes.map(({ changedBy }) => changedBy),
  );
  const nameOf = (id: number) => {
    const person = known.get(id);
    return person === undefined || person.deleted ? null : person.displayName;
  };
  return {
    ok: true,
    user: toAdminUserView(user),
    passkeys: own?.passkeys ?? 0,
    devices: signedIn?.devices ?? 0,
    lastSeenAt: signedIn?.last?.toISOString() ?? null,
    changes: changes.map(({ id, at, changedBy, before, after }) => ({
      id,
      at: at.toISOString(),
      by: nameOf(changedBy),
      before,
      after,
    })),
  };
}
