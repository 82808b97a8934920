import { eq } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import type { ChangePasswordInput, ConfirmPasswordInput } from "../forms.ts";
import { type Actor, by, type Member } from "./actor.ts";
import { voidLinks } from "./links.ts";
import { type BadPassword, badPassword, hashPassword, passwordFits, refusePassword } from "./passwords.ts";
import { users } from "./schema.ts";
import { endSession, endSessionsOf, type OpenedSession, openSession } from "./sessions.ts";
import { forgiveTries, mayTry, type Throttled } from "./throttles.ts";
import { holdUser, type UserRow, userById } from "./users.ts";

type Renewed = { ok: true; session: OpenedSession };
type Wrong = { ok: false; code: "PASSWORD_WRONG"; fields: Record<string, string[]> };
type NotSignedIn = { ok: false; code: "AUTH_REQUIRED" };
type Unusable = { ok: false; code: BadPassword | "PASSWORD_UNCHANGED"; fields: Record<string, string[]> };

/**
 * Changes the password of who asks. Every session of theirs ends; this browser gets another token.
 * It is the one thing a person who must change the password may do.
 */
export async function changePassword(
  actor: Actor,
  input: ChangePasswordInput,
): Promise<Renewed | NotSignedIn | Throttled | Wrong | Unusable> {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  const at = now();
  const known = await provePassword(
    actor,
    input.currentPassword,
    "currentPassword",
    "password_change_failed",
    at,
  );
  if (!known.ok) return known;
  const bad = badPassword(input.newPassword, known.user.isAdmin);
  if (bad !== undefined) return refusePassword(bad, "newPassword");
  // A password that must be changed was made or known by somebody else: keeping it would change nothing.
  if (known.user.mustChangePassword && input.newPassword === input.currentPassword) {
    return { ok: false, code: "PASSWORD_UNCHANGED", fields: { newPassword: ["errors.PASSWORD_UNCHANGED"] } };
  }
  const passwordHash = await hashPassword(input.newPassword);
  return transaction(async (tx) => {
    const held = await holdUser(tx, known.user.id);
    if (!unchanged(held, known.user)) return wrong("currentPassword");
    await tx
      .update(users)
      .set({ passwordHash, mustChangePassword: false, updatedAt: at })
      .where(eq(users.id, held.id));
    await voidLinks(tx, "password_reset", held.id);
    const ended = await endSessionsOf(tx, held.id);
    const { id: _, ...session } = await openSession(tx, held, actor, at);
    const subject = { kind: "user", id: held.id };
    await record(tx, {
      by: by(actor),
      action: "password_changed",
      at,
      subject,
      data: { sessionsEnded: ended },
    });
    return { ok: true, session };
  });
}

/**
 * Proves once more who is at the keyboard, which counts for the next ten minutes (`requireFreshLogin`).
 * The token changes with it.
 */
export async function confirmPassword(
  actor: Actor,
  input: ConfirmPasswordInput,
): Promise<Renewed | NotSignedIn | Throttled | Wrong> {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  const at = now();
  const known = await provePassword(actor, input.password, "password", "password_confirm_failed", at);
  if (!known.ok) return known;
  return transaction(async (tx) => {
    const held = await holdUser(tx, known.user.id);
    if (!unchanged(held, known.user)) return wrong("password");
    await endSession(tx, actor.userId, actor.sessionId);
    const { id, ...session } = await openSession(tx, held, actor, at);
    await record(tx, { by: by(actor), action: "password_confirmed", at, subject: { kind: "session", id } });
    return { ok: true, session };
  });
}

async function provePassword(
  actor: Member,
  password: string,
  field: string,
  failure: "password_change_failed" | "password_confirm_failed",
  at: Date,
): Promise<{ ok: true; user: UserRow } | NotSignedIn | Throttled | Wrong> {
  const attempt = { "password:user": String(actor.userId) };
  const passed = await mayTry(attempt, at);
  if (!passed.ok) return passed;
  const user = await userById(db(), actor.userId);
  if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
  if (await passwordFits(password, user.passwordHash)) {
    await forgiveTries(attempt);
    return { ok: true, user };
  }
  await transaction((tx) =>
    record(tx, { by: by(actor), action: failure, at, subject: { kind: "user", id: actor.userId } }),
  );
  return wrong(field);
}

/** The password was checked before the row was held; another change may have come between. */
function unchanged(held: UserRow | undefined, checked: UserRow): held is UserRow {
  return held !== undefined && held.passwordHash === checked.passwordHash && held.isAdmin === checked.isAdmin;
}

function wrong(field: string): Wrong {
  return { ok: false, code: "PASSWORD_WRONG", fields: { [field]: ["errors.PASSWORD_WRONG"] } };
}
