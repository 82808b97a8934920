import { runInTransaction, type Tx } from "#db/client";
import type { Actor, Member } from "../core/actor.ts";
import { type NotFreshAdmin, requireFreshAdmin } from "../core/require-actor.ts";
import { holdUser, type UserRow } from "../core/users/find-users.ts";
import { holdAdministrators, isAdministrator } from "./administrator-grants.ts";

/** The deciding administrator and the person; both rows stay locked until the transaction ends. */
export type DecisionParties = { administrator: Member; user: UserRow };

/**
 * Runs an administrator's decision about a person in one transaction that locks the administrators and the person's row. An administrator
 * who lost the right while waiting is refused. Needs a fresh login. Refuses, in this order: the codes of `requireFreshAdmin`;
 * ADMIN_REQUIRED; USER_NOT_FOUND.
 */
export async function decideAboutUser<Outcome>(
  actor: Actor,
  userId: number,
  at: Date,
  work: (tx: Tx, decided: DecisionParties) => Promise<Outcome>,
): Promise<Outcome | NotFreshAdmin | { ok: false; code: "USER_NOT_FOUND" }> {
  const needed = requireFreshAdmin(actor, at);
  if (!needed.ok) return needed;
  const administrator = needed.member;
  return runInTransaction(async (tx) => {
    await holdAdministrators(tx);
    if (!(await isAdministrator(tx, administrator.userId))) return { ok: false, code: "ADMIN_REQUIRED" };
    const user = await holdUser(tx, userId);
    if (user === undefined) return { ok: false, code: "USER_NOT_FOUND" };
    return work(tx, { administrator, user });
  });
}
