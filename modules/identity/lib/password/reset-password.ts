import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import type { ResetPasswordInput } from "../../forms.ts";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser, userById } from "../core/users/find-users.ts";
import { readLink, redeemLink, voidLinks } from "../login/mailed-links.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { hashingPlaceOfUser } from "./hashing-sources.ts";
import {
  type BadPassword,
  findPasswordProblem,
  hashPassword,
  refusePassword,
  refuseShortPassword,
} from "./passwords.ts";

type ResetRefusal =
  | { ok: false; code: "RESET_LINK_INVALID" }
  | { ok: false; code: BadPassword | "VALIDATION"; fields: Record<string, string[]> };

/**
 * Sets a new password with a mailed link. The link works once, for an hour; a refused password does not use it up. Ends every session of
 * the user, signs nobody in, and leaves the second factor on. Refuses RESET_LINK_INVALID and bad passwords.
 */
export async function resetPassword(
  actor: Actor,
  input: ResetPasswordInput,
): Promise<{ ok: true; userId: number } | ResetRefusal> {
  const at = currentTime();
  const link = await readLink(db(), "password_reset", input.token, at);
  const user = link && (await userById(db(), link.userId));
  const short = refuseShortPassword(input.newPassword, user?.isAdmin ?? false);
  if (short !== undefined) return short;
  if (user === undefined) return { ok: false, code: "RESET_LINK_INVALID" };
  const bad = findPasswordProblem(input.newPassword, user.isAdmin, user);
  if (bad !== undefined) return refusePassword(bad, "newPassword");

  const passwordHash = await hashPassword(input.newPassword, hashingPlaceOfUser(user.id));
  return runInTransaction(async (tx) => {
    // Locks the user's row first, as everywhere: mailing another link locks it too.
    const held = await holdUser(tx, user.id);
    const used = held?.isAdmin === user.isAdmin && (await redeemLink(tx, "password_reset", input.token, at));
    if (!used) return { ok: false, code: "RESET_LINK_INVALID" };
    await tx
      .update(usersTable)
      .set({ passwordHash, mustChangePassword: false, updatedAt: at })
      .where(eq(usersTable.id, user.id));
    await voidLinks(tx, "password_reset", user.id);
    const ended = await endSessionsOf(tx, user.id);
    const subject = { kind: "user", id: user.id };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "password_reset",
      at,
      subject,
      data: { sessionsEnded: ended },
    });
    await mailSecurityNotice(tx, held, "password_changed", actor, at);
    return { ok: true, userId: user.id };
  });
}

/**
 * Whose password a reset link sets, so that the page can name the least length, or say that the link is dead, before anything is typed;
 * undefined if the link does not work.
 */
export async function findResetOwner(token: string): Promise<{ isAdmin: boolean } | undefined> {
  const link = await readLink(db(), "password_reset", token, currentTime());
  const user = link && (await userById(db(), link.userId));
  return user && { isAdmin: user.isAdmin };
}
