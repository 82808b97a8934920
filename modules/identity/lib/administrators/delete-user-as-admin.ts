import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { removeUser } from "../account/delete-user.ts";
import type { Actor } from "../core/actor.ts";
import { type NotFreshAdmin, requireFreshAdmin } from "../core/require-actor.ts";
import { holdUser } from "../core/users/find-users.ts";
import { usernameKey } from "../core/users/username.ts";

type DeletionRefusal = { ok: false; code: string; fields?: Record<string, string[]> };

/**
 * Deletes a person's account as an administrator with a fresh login (`removeUser`). If `typed` is given, its confirmation must be the
 * person's username (CONFIRMATION_MISMATCH). Refuses OWN_ACCOUNT (administrators delete their own in the settings, with password and second
 * factor), MONEY_HELD while the person is party to held money, TRADE_UNDER_WAY while a trade of theirs is open, and LAST_ADMIN.
 */
export async function deleteUserAsAdmin(
  actor: Actor,
  userId: number,
  typed?: { confirmation: string },
): Promise<{ ok: true } | NotFreshAdmin | DeletionRefusal> {
  const at = currentTime();
  const needed = requireFreshAdmin(actor, at);
  if (!needed.ok) return needed;
  if (needed.member.userId === userId) return { ok: false, code: "OWN_ACCOUNT" };
  return runInTransaction((tx) =>
    removeUser(tx, actor, userId, at, async () => {
      const user = await holdUser(tx, userId);
      const named =
        user !== undefined && typed && usernameKey(typed.confirmation) === usernameKey(user.username);
      if (typed === undefined || named) return { ok: true };
      const fields = { confirmation: ["validation.otherUsername"] };
      return { ok: false, code: "CONFIRMATION_MISMATCH", fields };
    }),
  );
}
