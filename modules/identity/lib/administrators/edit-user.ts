import { eq } from "drizzle-orm";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { avatarInitials, type EditUserInput } from "../../forms.ts";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import type { NotFreshAdmin } from "../core/require-actor.ts";
import { type ProfileFields, profileChangesTable, usersTable } from "../core/schema.ts";
import { keepIdentifiersOfRestricted } from "../restrictions/linked-accounts.ts";
import { decideAboutUser } from "./decide-about-user.ts";

const editableFields = ["displayName", "phoneNumber", "bankAccount"] as const;

/**
 * Changes someone's profile as an administrator with a fresh login; payout forms are filled in from it. Stores the values before and after
 * in `profile_changes`, which is erased with the person, and notifies the person by mail. The email address cannot be changed: it is how
 * the person recovers the account.
 */
export async function editUser(
  actor: Actor,
  userId: number,
  input: Omit<EditUserInput, "displayName"> & { displayName?: string },
): Promise<{ ok: true } | NotFreshAdmin | { ok: false; code: "USER_NOT_FOUND" }> {
  const at = currentTime();
  return decideAboutUser(actor, userId, at, async (tx, { administrator, user }) => {
    const wanted = {
      displayName: input.displayName ?? user.displayName,
      phoneNumber: input.phoneNumber || null,
      bankAccount: input.bankAccount || null,
    };
    const changed = editableFields.filter((field) => wanted[field] !== user[field]);
    if (changed.length === 0) return { ok: true };
    const of = (from: ProfileFields) => Object.fromEntries(changed.map((field) => [field, from[field]]));
    await tx
      .update(usersTable)
      .set({ ...wanted, avatarInitials: initialsOf(user, wanted.displayName), updatedAt: at })
      .where(eq(usersTable.id, userId));
    await keepIdentifiersOfRestricted(tx, userId, at);
    const [kept] = await tx
      .insert(profileChangesTable)
      .values({ userId, changedBy: administrator.userId, at, before: of(user), after: of(wanted) })
      .returning({ id: profileChangesTable.id });
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "user_edited",
      at,
      subject: { kind: "user", id: userId },
      data: { fields: changed, change: kept?.id },
    });
    await mailSecurityNotice(tx, user, "profile_edited", actor, at);
    return { ok: true };
  });
}

/** Initials derived from the name follow the new name; chosen ones stay. */
function initialsOf(user: { avatarInitials: string; displayName: string }, name: string): string {
  const derived = user.avatarInitials === avatarInitials(null, user.displayName);
  return derived ? avatarInitials(null, name) : user.avatarInitials;
}
