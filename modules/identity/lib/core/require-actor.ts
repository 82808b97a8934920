import type { Actor, Member } from "./actor.ts";

const FRESH_MINUTES = 10;

export type RequiredMember = { ok: true; member: Member };
export type NotFresh = NotSignedIn | { ok: false; code: "REAUTH_REQUIRED" };
export type NotSignedIn = {
  ok: false;
  code: "AUTH_REQUIRED" | "PASSWORD_CHANGE_REQUIRED" | "NAME_CHANGE_REQUIRED";
};
export type NotAdmin =
  | NotSignedIn
  | { ok: false; code: "ADMIN_REQUIRED" | "SECOND_FACTOR_SETUP_REQUIRED" | "PASSKEY_REQUIRED" };

/**
 * The actor as a signed-in person.
 * PASSWORD_CHANGE_REQUIRED holds back everything but changing the password and signing out, until that is done;
 * NAME_CHANGE_REQUIRED everything but choosing another name, for nobody is to meet the old one.
 */
export function requireUser(actor: Actor): RequiredMember | NotSignedIn {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  if (actor.mustChangePassword) return { ok: false, code: "PASSWORD_CHANGE_REQUIRED" };
  if (actor.mustChooseName) return { ok: false, code: "NAME_CHANGE_REQUIRED" };
  return { ok: true, member: actor };
}

/**
 * The actor as an administrator; a visitor is AUTH_REQUIRED, anybody else ADMIN_REQUIRED. SECOND_FACTOR_SETUP_REQUIRED holds the
 * whole back office back where real money moves, until a second factor or a passkey is set up; their own account stays open to
 * them. PASSKEY_REQUIRED does the same for who has a passkey, no second factor, and gave the password alone.
 */
export function requireAdmin(actor: Actor): RequiredMember | NotAdmin {
  if (actor.kind === "user" && !actor.isAdmin) return { ok: false, code: "ADMIN_REQUIRED" };
  const user = requireUser(actor);
  if (user.ok && user.member.mustSetUpFactor) return { ok: false, code: "SECOND_FACTOR_SETUP_REQUIRED" };
  if (user.ok && user.member.mustUsePasskey) return { ok: false, code: "PASSKEY_REQUIRED" };
  return user;
}

/**
 * The actor as somebody who gave their password or passkey at most ten minutes ago, which money moves ask for (design §4). Of an
 * administrator who must use a passkey the password is no fresh login: it could set up another factor in its place.
 */
export function requireFreshLogin(actor: Actor, now: Date): RequiredMember | NotFresh {
  const user = requireUser(actor);
  if (!user.ok) return user;
  if (user.member.mustUsePasskey) return { ok: false, code: "REAUTH_REQUIRED" };
  const age = now.getTime() - user.member.authenticatedAt.getTime();
  return age <= FRESH_MINUTES * 60_000 ? user : { ok: false, code: "REAUTH_REQUIRED" };
}

export type NotFreshAdmin = NotFresh | NotAdmin;

/** The actor as an administrator who gave their password or passkey at most ten minutes ago, which moves of power ask for. */
export function requireFreshAdmin(actor: Actor, now: Date): RequiredMember | NotFreshAdmin {
  const admin = requireAdmin(actor);
  return admin.ok ? requireFreshLogin(actor, now) : admin;
}
