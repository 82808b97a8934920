import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import type { FinishLoginInput } from "../../forms.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { holdUser } from "../core/users/find-users.ts";
import { userViewOf } from "../core/users/user-view.ts";
import { rememberSignInPlace } from "../password/hashing-sources.ts";
import { refuseSuspended } from "../restrictions/suspensions/refuse-suspended.ts";
import { forgiveCodes, mayTryCode, passGivenCode, type WrongCode } from "../second-factor/check-factor.ts";
import { endSessionOfActor, openSession } from "../sessions/sessions.ts";
import type { LoginSuccess, SuspendedLogin } from "./login.ts";
import { endTicket, readTicket } from "./login-tickets.ts";
import type { ThrottleRefusal } from "./throttles.ts";

type FinishLoginRefusal =
  | { ok: false; code: "SIGN_IN_EXPIRED" }
  | SuspendedLogin
  | WrongCode<"SECOND_FACTOR_WRONG">
  | ThrottleRefusal;

/**
 * Finishes a login (SECOND_FACTOR_REQUIRED) with a code from the app or a recovery code. The ticket works for five minutes and signs in
 * once; a wrong code does not use it up. A password change in the meantime voids it: SIGN_IN_EXPIRED.
 */
export async function finishLogin(
  actor: Actor,
  { ticket, code }: FinishLoginInput & { ticket: string | undefined },
): Promise<LoginSuccess | FinishLoginRefusal> {
  const at = currentTime();
  const expired = { ok: false, code: "SIGN_IN_EXPIRED" } as const;
  const begun = ticket === undefined ? undefined : await readTicket(db(), ticket, at);
  if (ticket === undefined || begun === undefined) return expired;
  const passed = await mayTryCode(actor, begun.userId, code, at);
  if (!passed.ok) return passed;
  const done = await runInTransaction(async (tx): Promise<LoginSuccess | FinishLoginRefusal> => {
    const user = await holdUser(tx, begun.userId);
    // Read again under the lock: the other half of a double submit, or a new password, may have ended it.
    const still = await readTicket(tx, ticket, at);
    if (user === undefined || still === undefined) return expired;
    const suspended = await refuseSuspended(tx, actor, user, still.action, at);
    if (suspended !== undefined) return suspended;
    const proof = await passGivenCode(tx, actor, user, code, at);
    if (!proof.ok) return proof;
    await endTicket(tx, ticket);
    await endSessionOfActor(tx, actor);
    const { id, ...session } = await openSession(tx, user, actor, at);
    await recordAuditEntry(tx, {
      by: { ...auditAuthorOf(actor), userId: user.id },
      action: still.action,
      at,
      subject: { kind: "session", id },
      data: { secondFactor: proof.by },
    });
    return { ok: true, user: userViewOf(user), session };
  });
  if (done.ok) rememberSignInPlace(actor);
  if (done.ok) await forgiveCodes(actor, begun.userId);
  return done;
}
