import type { Language } from "#locales";
import type { RestrictionCause, RestrictionKind } from "../../forms.ts";

/** Where a request comes from, and in which language its answer is to be. */
export type Origin = { ip: string; device: string; language: Language; requestId: string };

/** The suspension that ended a session, and its user. `until` is null for a permanent one. */
export type Suspension = { userId: number; cause: RestrictionCause; until: Date | null };

/** What a person may not do now; `until` is null for good. */
export type Restriction = { kind: RestrictionKind; until: Date | null };

/** Somebody who is not signed in. `suspension` is set if a suspension ended the session of this browser. */
export type Visitor = Origin & { kind: "visitor"; suspension?: Suspension };

/** Somebody whose session was read from the database for this very request. */
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
  /** An administrator with neither a second factor nor a passkey, where real money moves. */
  mustSetUpFactor: boolean;
  /** Somebody whose names are not allowed any more (`nameRefusals`). */
  mustChooseName: boolean;
  /** The same with a passkey, whose session was opened by the password alone. */
  mustUsePasskey: boolean;
  /** The restriction in force when the session was read. A suspended person has no session, so it is a limit. */
  restriction: Restriction | null;
};

/** Who asks. Every verb takes it first; no verb takes a user's id as proof of who asks. */
export type Actor = Visitor | Member;

/** How the audit log names who asked. */
export function auditAuthorOf(actor: Actor): { userId: number | null; ip: string; device: string } {
  return { userId: actor.kind === "user" ? actor.userId : null, ip: actor.ip, device: actor.device };
}
