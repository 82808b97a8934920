import type { Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf } from "../../core/actor.ts";
import type { UserRow } from "../../core/users/find-users.ts";
import type { LoginAction } from "../../login/login-tickets.ts";
import {
  latestUnendedRestriction,
  type RestrictionRefusal,
  restrictionOf,
  suspendedRefusal,
} from "../restriction-in-force.ts";

/**
 * ACCOUNT_SUSPENDED for a suspended person with a correct password or passkey, recorded as a refused sign-in or confirmation; undefined for
 * anyone else. The caller has locked the user's row, so that no session opens at the same time as a suspension.
 */
export async function refuseSuspended(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  action: LoginAction | "passkey",
  at: Date,
): Promise<RestrictionRefusal<"ACCOUNT_SUSPENDED"> | undefined> {
  const restriction = restrictionOf(user, at);
  if (restriction?.kind !== "suspend") return undefined;
  const subject = { kind: "user", id: user.id };
  await recordAuditEntry(tx, {
    by: auditAuthorOf(actor),
    action: `${action}_failed`,
    at,
    subject,
    data: { suspended: true },
  });
  const cause = (await latestUnendedRestriction(tx, user.id, at))?.cause ?? "terms";
  return suspendedRefusal(cause, restriction.until);
}
