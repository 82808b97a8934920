import type { Actor, Member } from "./actor.ts";

const FRESH_MINUTES = 10;

export type RequiredMember = { ok: true; member: Member };
export type NotFresh = NotSignedIn | { ok: false; code: "REAUTH_REQUIRED" };
export type NotSignedIn = {
  ok: false;
  code: "AUTH_REQUIRED" | "PASSWORD_CHANGE_REQUIRED" | "NAME_CHANGE_REQUIRED" | "CONSENT_REQUIRED";
};
export type NotAdmin =
  | NotSignedIn
  | { ok: false; code: "ADMIN_REQUIRED" | "SECOND_FACTOR_SETUP_REQUIRED" | "PASSKEY_REQUIRED" };

/**
 * The actor as a signed-in person. Refuses AUTH_REQUIRED for a visitor. PASSWORD_CHANGE_REQUIRED blocks everything but changing the
 * password and signing out until that is done; NAME_CHANGE_REQUIRED blocks everything but choosing another name, since nobody is to see the
 * old one; CONSENT_REQUIRED blocks everything but agreeing to the documents in force, and leaving with one's data.
 */
export function requireUser(actor: Actor): RequiredMember | NotSignedIn {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  if (actor.mustChangePassword) return { ok: false, code: "PASSWORD_CHANGE_REQUIRED" };
  if (actor.mustChooseName) return { ok: false, code: "NAME_CHANGE_REQUIRED" };
  if (actor.mustAgree) return { ok: false, code: "CONSENT_REQUIRED" };
  return { ok: true, member: actor };
}

/**
 * The actor as an administrator. Refuses AUTH_REQUIRED for a visitor and ADMIN_REQUIRED for anyone else. SECOND_FACTOR_SETUP_REQUIRED
 * blocks the whole back office where real money moves, until a second factor or a passkey is set up; the person's own account stays
 * available. PASSKEY_REQUIRED does the same for an administrator who has a passkey and no second factor, but gave the password alone.
 */
export function requireAdmin(actor: Actor): RequiredMember | NotAdmin {
  if (actor.kind === "user" && !actor.isAdmin) return { ok: false, code: "ADMIN_REQUIRED" };
  const user = requireUser(actor);
  if (user.ok && user.member.mustSetUpFactor) return { ok: false, code: "SECOND_FACTOR_SETUP_REQUIRED" };
  if (user.ok && user.member.mustUsePasskey) return { ok: false, code: "PASSKEY_REQUIRED" };
  return user;
}

/**
 * The actor, if they gave their password or passkey within the last ten minutes; money moves require this. For an administrator who must
 * use a passkey, the password is not a fresh login: it could set up another factor instead.
 */
export function requireFreshLogin(actor: Actor, now: Date): RequiredMember | NotFresh {
  const user = requireUser(actor);
  if (!user.ok) return user;
  if (user.member.mustUsePasskey) return { ok: false, code: "REAUTH_REQUIRED" };
  const age = now.getTime() - user.member.authenticatedAt.getTime();
  return age <= FRESH_MINUTES * 60_000 ? user : { ok: false, code: "REAUTH_REQUIRED" };
}

export type NotFreshAdmin = NotFresh | NotAdmin;

/** The actor as an administrator who gave their password or passkey within the last ten minutes, which privileged actions require. */
export function requireFreshAdmin(actor: Actor, now: Date): RequiredMember | NotFreshAdmin {
  const admin = requireAdmin(actor);
  return admin.ok ? requireFreshLogin(actor, now) : admin;
}
