import { eq } from "drizzle-orm";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { isAdministratorSince } from "../administrators/administrator-grants.ts";
import { decideAboutUser } from "../administrators/decide-about-user.ts";
import { relatedAdministratorIds } from "../administrators/related-administrators.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import type { NotFreshAdmin } from "../core/require-actor.ts";
import { usersTable } from "../core/schema.ts";
import { mailRestriction } from "./mail-restriction.ts";
import { forGoodUntil, latestUnendedRestriction, restrictionOf } from "./restriction-in-force.ts";
import { restrictionsTable } from "./schema.ts";

export type ConfirmRestrictionRefusal =
  | NotFreshAdmin
  | {
      ok: false;
      code:
        | "USER_NOT_FOUND"
        | "RESTRICTION_NOT_PROPOSED"
        | "FOUR_EYES_REQUIRED"
        | "FOUR_EYES_RELATED"
        | "PROPOSER_NOT_ADMIN"
        | "PROPOSAL_CHANGED";
    };

/**
 * Makes a restriction in force permanent, as a second administrator with a fresh login. Refuses FOUR_EYES_REQUIRED for the proposer,
 * FOUR_EYES_RELATED for an administrator who counts as the same reviewer, PROPOSER_NOT_ADMIN if the proposer has lost the right since,
 * PROPOSAL_CHANGED if `restriction` (the one that was read) has been replaced, and RESTRICTION_NOT_PROPOSED if none in force was proposed
 * as permanent. Confirming again changes nothing.
 */
export async function confirmRestriction(
  actor: Actor,
  userId: number,
  { restriction: id }: { restriction: number },
): Promise<{ ok: true; changed: boolean } | ConfirmRestrictionRefusal> {
  const at = currentTime();
  return decideAboutUser(actor, userId, at, async (tx, { administrator, user }) => {
    const own = administrator.userId;
    const row = await latestUnendedRestriction(tx, userId, at);
    if (row === undefined || !row.forGood || restrictionOf(user, at) === null) {
      return { ok: false, code: "RESTRICTION_NOT_PROPOSED" };
    }
    if (row.id !== id) return { ok: false, code: "PROPOSAL_CHANGED" };
    if (row.confirmedAt !== null) return { ok: true, changed: false };
    if (row.placedBy === own) return { ok: false, code: "FOUR_EYES_REQUIRED" };
    if ((await relatedAdministratorIds(tx, own, at)).includes(row.placedBy))
      return { ok: false, code: "FOUR_EYES_RELATED" };
    if (!(await isAdministratorSince(tx, row.placedBy, row.placedAt))) {
      return { ok: false, code: "PROPOSER_NOT_ADMIN" };
    }
    await tx
      .update(restrictionsTable)
      .set({ confirmedBy: own, confirmedAt: at })
      .where(eq(restrictionsTable.id, id));
    await tx
      .update(usersTable)
      .set({ restrictedUntil: forGoodUntil, updatedAt: at })
      .where(eq(usersTable.id, userId));
    const subject = { kind: "user", id: userId };
    const data = { restriction: id, kind: row.kind, proposedBy: row.placedBy };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "user_restricted_for_good",
      at,
      subject,
      data,
    });
    await mailRestriction(tx, user, { event: row.kind, cause: row.cause, until: null }, at);
    return { ok: true, changed: true };
  });
}
