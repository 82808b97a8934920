import type { Actor, Member } from "./actor.ts";

const FRESH_MINUTES = 10;

export type Required = { ok: true; member: Member };
export type NotFresh = NotSignedIn | { ok: false; code: "REAUTH_REQUIRED" };
export type NotSignedIn = { ok: false; code: "AUTH_REQUIRED" | "PASSWORD_CHANGE_REQUIRED" };
export type NotAdmin = NotSignedIn | { ok: false; code: "ADMIN_REQUIRED" };

/**
 * The actor as a signed-in person.
 * PASSWORD_CHANGE_REQUIRED holds back everything but changing the password and signing out, until that is done.
 */
export function requireUser(actor: Actor): Required | NotSignedIn {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  if (actor.mustChangePassword) return { ok: false, code: "PASSWORD_CHANGE_REQUIRED" };
  return { ok: true, member: actor };
}

/** The actor as an administrator; a visitor is AUTH_REQUIRED, anybody else ADMIN_REQUIRED. */
export function requireAdmin(actor: Actor): Required | NotAdmin {
  if (actor.kind === "user" && !actor.isAdmin) return { ok: false, code: "ADMIN_REQUIRED" };
  return requireUser(actor);
}

/** The actor as somebody who gave their password at most ten minutes ago, which money moves ask for (design §4). */
export function requireFreshLogin(actor: Actor, now: Date): Required | NotFresh {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const age = now.getTime() - user.member.authenticatedAt.getTime();
  return age <= FRESH_MINUTES * 60_000 ? user : { ok: false, code: "REAUTH_REQUIRED" };
}

export type NotFreshAdmin = NotFresh | { ok: false; code: "ADMIN_REQUIRED" };

/** The actor as an administrator who gave their password at most ten minutes ago, which moves of power ask for. */
export function requireFreshAdmin(actor: Actor, now: Date): Required | NotFreshAdmin {
  const admin = requireAdmin(actor);
  return admin.ok ? requireFreshLogin(actor, now) : admin;
}
