import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import type { DeleteAccountInput } from "../../forms.ts";
import type { Actor } from "../core/actor.ts";
import { type NotSignedIn, requireUser } from "../core/require-actor.ts";
import { usernameKey } from "../core/users/username.ts";
import type { ThrottleRefusal } from "../login/throttles.ts";
import {
  isUserUnchanged,
  provePassword,
  type WrongPassword,
  wrongPassword,
} from "../password/prove-password.ts";
import { forgiveCodes, passFactor, type WrongCode } from "../second-factor/check-factor.ts";
import { type DeletionRefusal, type LastAdminRefusal, refuseLastAdmin, removeUser } from "./delete-user.ts";

type ConfirmationMismatch = { ok: false; code: "CONFIRMATION_MISMATCH"; fields: Record<string, string[]> };

/**
 * Deletes the actor's own account permanently (`removeUser`). Needs the password, a second-factor code if that is on, and the username
 * typed again. Refuses MONEY_HELD while a trade's money is held, TRADE_UNDER_WAY while a trade is open, and LAST_ADMIN.
 */
export async function deleteOwnAccount(
  actor: Actor,
  input: DeleteAccountInput,
): Promise<
  | { ok: true }
  | NotSignedIn
  | ThrottleRefusal
  | WrongPassword
  | WrongCode
  | ConfirmationMismatch
  | DeletionRefusal
  | LastAdminRefusal
> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const { member } = needed;
  if (usernameKey(input.confirmation) !== usernameKey(member.username)) {
    const fields = { confirmation: ["errors.CONFIRMATION_MISMATCH"] };
    return { ok: false, code: "CONFIRMATION_MISMATCH", fields };
  }
  const at = currentTime();
  const known = await provePassword(member, { ...input, field: "password" }, "account_delete_failed", at);
  if (!known.ok) return known;
  const done = await runInTransaction((tx) =>
    removeUser<never, LastAdminRefusal | WrongCode | WrongPassword>(tx, actor, member.userId, at, {
      prove: async (user) => {
        const last = await refuseLastAdmin(tx, user);
        if (!last.ok) return last;
        return isUserUnchanged(user, known.user, at)
          ? passFactor(tx, actor, user, input.code, at)
          : wrongPassword("password");
      },
    }),
  );
  if (done.ok) await forgiveCodes(actor, member.userId);
  return done;
}
