import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { type DeletionRefusal, removeUser } from "../account/delete-user.ts";
import type { Actor } from "../core/actor.ts";
import { type NotAdmin, type NotFreshAdmin, requireFreshAdmin } from "../core/require-actor.ts";
import type { UserRow } from "../core/users/find-users.ts";
import { usernameKey } from "../core/users/username.ts";
import { isAdministrator } from "./administrator-grants.ts";

type AdminDeletionRefusal = NotFreshAdmin | DeletionRefusal | { ok: false; code: "OWN_ACCOUNT" };
type OtherUsername = { ok: false; code: "CONFIRMATION_MISMATCH"; fields: Record<string, string[]> };

/**
 * Deletes a person's account as an administrator with a fresh login (`removeUser`). Refuses OWN_ACCOUNT (administrators delete their own in
 * the settings, with password and second factor), MONEY_HELD while the person is party to held money, and TRADE_UNDER_WAY while a trade of
 * theirs is open. The actor stays an administrator, so nobody deleted here is the last one.
 */
export function deleteUserAsAdmin(
  actor: Actor,
  userId: number,
): Promise<{ ok: true } | AdminDeletionRefusal> {
  return removeOther<never>(actor, userId, async () => ({ ok: true }));
}

/** Deletes a person as `deleteUserAsAdmin` does, but refuses CONFIRMATION_MISMATCH unless the person's username was typed. */
export function deleteUserByTypedName(
  actor: Actor,
  userId: number,
  typed: { confirmation: string },
): Promise<{ ok: true } | AdminDeletionRefusal | OtherUsername> {
  return removeOther<OtherUsername>(actor, userId, async (user) => {
    if (usernameKey(typed.confirmation) === usernameKey(user.username)) return { ok: true };
    const fields = { confirmation: ["validation.otherUsername"] };
    return { ok: false, code: "CONFIRMATION_MISMATCH", fields };
  });
}

async function removeOther<Unproved extends OtherUsername = never>(
  actor: Actor,
  userId: number,
  prove: (user: UserRow) => Promise<{ ok: true } | Unproved>,
): Promise<{ ok: true } | AdminDeletionRefusal | Unproved> {
  const at = currentTime();
  const needed = requireFreshAdmin(actor, at);
  if (!needed.ok) return needed;
  const { member } = needed;
  if (member.userId === userId) return { ok: false, code: "OWN_ACCOUNT" };
  // The right may have been lost while this waited for the lock.
  const authorize = async (tx: Tx): Promise<{ ok: true } | NotAdmin> =>
    (await isAdministrator(tx, member.userId)) ? { ok: true } : { ok: false, code: "ADMIN_REQUIRED" };
  return runInTransaction((tx) =>
    removeUser(tx, actor, userId, at, { authorize: () => authorize(tx), prove }),
  );
}
