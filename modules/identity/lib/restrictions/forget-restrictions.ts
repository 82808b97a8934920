import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { Actor } from "../core/actor.ts";
import { hasNotEnded } from "./restriction-in-force.ts";
import { restrictionsTable } from "./schema.ts";
import { forgetSuspendedSessions } from "./suspensions/suspended-sessions.ts";

/**
 * Erases what administrators wrote about a person who is being deleted, and ends the restriction in force. Keeps the decision and the
 * hashes, so that nobody escapes a restriction by registering again.
 */
export async function forgetRestrictions(tx: Tx, userId: number, actor: Actor, at: Date): Promise<void> {
  const own = eq(restrictionsTable.userId, userId);
  await tx.update(restrictionsTable).set({ note: null, endNote: null }).where(own);
  await forgetSuspendedSessions(tx, userId);
  const endedBy = actor.kind === "user" ? actor.userId : userId;
  await tx
    .update(restrictionsTable)
    .set({ endedAt: at, endedBy, endedHow: "deleted" })
    .where(and(own, hasNotEnded(at)));
}
