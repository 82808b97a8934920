import { eq } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import type { ResetPasswordInput } from "../../forms.ts";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, by } from "../core/actor.ts";
import { holdUser, userById } from "../core/find-users.ts";
import { users } from "../core/schema.ts";
import { readLink, redeemLink, voidLinks } from "../login/mailed-links.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { hashingPlaceOfUser } from "./hashing-sources.ts";
import { type BadPassword, badPassword, hashPassword, refusePassword } from "./passwords.ts";

type Refused =
  | { ok: false; code: "RESET_LINK_INVALID" }
  | { ok: false; code: BadPassword; fields: Record<string, string[]> };

/**
 * Sets a new password by the link that was mailed. The link works once, for an hour; a refused password does not use it
 * up. Every session of the user ends. Nobody is signed in by it, and a second factor stays on.
 */
export async function resetPassword(
  actor: Actor,
  input: ResetPasswordInput,
): Promise<{ ok: true; userId: number } | Refused> {
  const at = now();
  const link = await readLink(db(), "password_reset", input.token, at);
  const user = link && (await userById(db(), link.userId));
  if (user === undefined) return { ok: false, code: "RESET_LINK_INVALID" };
  const bad = badPassword(input.newPassword, user.isAdmin, user);
  if (bad !== undefined) return refusePassword(bad, "newPassword");

  const passwordHash = await hashPassword(input.newPassword, hashingPlaceOfUser(user.id));
  return transaction(async (tx) => {
    // The user's row first, as everywhere: the mailing of another link holds it too.
    const held = await holdUser(tx, user.id);
    const used = held?.isAdmin === user.isAdmin && (await redeemLink(tx, "password_reset", input.token, at));
    if (!used) return { ok: false, code: "RESET_LINK_INVALID" };
    await tx
      .update(users)
      .set({ passwordHash, mustChangePassword: false, updatedAt: at })
      .where(eq(users.id, user.id));
    await voidLinks(tx, "password_reset", user.id);
    const ended = await endSessionsOf(tx, user.id);
    const subject = { kind: "user", id: user.id };
    await record(tx, {
      by: by(actor),
      action: "password_reset",
      at,
      subject,
      data: { sessionsEnded: ended },
    });
    await mailSecurityNotice(tx, held, "password_changed", actor, at);
    return { ok: true, userId: user.id };
  });
}

/** Whether a reset link still works, for the page to say so before anything is typed. */
export async function resetLinkWorks(token: string): Promise<boolean> {
  return (await readLink(db(), "password_reset", token, now())) !== undefined;
}
