import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import type { ProfileInput } from "../../forms.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotSignedIn, requireUser } from "../core/require-actor.ts";
import type { UserView } from "../core/responses.ts";
import { usersTable } from "../core/schema.ts";
import { userById } from "../core/users/find-users.ts";
import { userViewOf } from "../core/users/user-view.ts";
import { keepIdentifiersOfRestricted } from "../restrictions/linked-accounts.ts";
import { holdMember } from "../sessions/sessions.ts";

type OwnProfile = { ok: true; user: UserView } | { ok: false; code: "AUTH_REQUIRED" };

/** The actor's own profile; also works for someone who must change their password first. */
export async function readOwnProfile(actor: Actor): Promise<OwnProfile> {
  const user = actor.kind === "user" ? await userById(db(), actor.userId) : undefined;
  return user === undefined ? { ok: false, code: "AUTH_REQUIRED" } : { ok: true, user: userViewOf(user) };
}

/** Changes the given fields of the actor's own profile; the others stay. An empty text clears its field. */
export async function updateProfile(actor: Actor, input: ProfileInput): Promise<OwnProfile | NotSignedIn> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const before = await holdMember(tx, needed.member);
    if (before === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    const wanted = {
      phoneNumber: input.phoneNumber === undefined ? before.phoneNumber : input.phoneNumber || null,
      bankAccount: input.bankAccount === undefined ? before.bankAccount : input.bankAccount || null,
      language: input.language ?? before.language,
    };
    const changed = (["phoneNumber", "bankAccount", "language"] as const).filter(
      (field) => wanted[field] !== before[field],
    );
    if (changed.length === 0) return { ok: true, user: userViewOf(before) };
    await tx
      .update(usersTable)
      .set({ ...wanted, updatedAt: at })
      .where(eq(usersTable.id, before.id));
    await keepIdentifiersOfRestricted(tx, before.id, at);
    const subject = { kind: "user", id: before.id };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "profile_updated",
      at,
      subject,
      data: { fields: changed },
    });
    return { ok: true, user: userViewOf({ ...before, ...wanted }) };
  });
}
