import type { Language } from "#locales";
import type { RestrictionCause, RestrictionKind } from "../../forms.ts";

/** Where a request comes from, and the language of its response. */
export type Origin = { ip: string; device: string; language: Language; requestId: string };

/** The suspension that ended a session, and its user. `until` is null for a permanent one. */
export type Suspension = { userId: number; cause: RestrictionCause; until: Date | null };

/** A restriction in force; `until` is null if permanent. */
export type Restriction = { kind: RestrictionKind; until: Date | null };

/**
 * Someone who is not signed in. `suspension` is set if a suspension ended the session of this browser, `isOther` if another person than the
 * one whose page asks is signed in there.
 */
export type Visitor = Origin & { kind: "visitor"; suspension?: Suspension; isOther?: true };

/** Someone whose session was read from the database for this request. */
export type Member = Origin & {
  kind: "user";
  userId: number;
  sessionId: number;
  username: string;
  displayName: string;
  email: string;
  avatarInitials: string;
  isAdmin: boolean;
  authenticatedAt: Date;
  mustChangePassword: boolean;
  /** True for an administrator without a second factor and without a passkey, where real money moves. */
  mustSetUpFactor: boolean;
  /** True for someone whose names are no longer allowed (`nameRefusals`). */
  mustChooseName: boolean;
  /** True for someone who has not agreed to the terms or the privacy policy in force (`documentsToAgree`). */
  mustAgree: boolean;
  /** True for such an administrator who has a passkey, but opened the session with the password alone. */
  mustUsePasskey: boolean;
  /** The restriction in force when the session was read. A suspended person has no session, so it is always a limit. */
  restriction: Restriction | null;
};

/** Who makes a request. Every operation takes it first; none accepts a user id as proof of identity. */
export type Actor = Visitor | Member;

/** The author fields of an audit entry for this actor. */
export function auditAuthorOf(actor: Actor): { userId: number | null; ip: string; device: string } {
  return { userId: actor.kind === "user" ? actor.userId : null, ip: actor.ip, device: actor.device };
}
