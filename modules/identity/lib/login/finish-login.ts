import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import type { FinishLoginInput } from "../../forms.ts";
import { type Actor, by } from "../core/actor.ts";
import { holdUser } from "../core/find-users.ts";
import { viewOf } from "../core/user-view.ts";
import { rememberGoodPlace } from "../password/hashing-sources.ts";
import { refuseSuspended } from "../restrictions/refuse-suspended.ts";
import { forgiveCodes, mayTryCode, passFactor, type WrongCode } from "../second-factor/check-factor.ts";
import { endSessionOfActor, openSession } from "../sessions/sessions.ts";
import type { SignedIn, SuspendedLogin } from "./login.ts";
import { endTicket, readTicket } from "./login-tickets.ts";
import type { Throttled } from "./throttles.ts";

type Refused = { ok: false; code: "SIGN_IN_EXPIRED" } | SuspendedLogin | WrongCode | Throttled;

/**
 * Finishes a login (SECOND_FACTOR_REQUIRED) with a code of the app or a recovery code. The ticket works for five minutes
 * and signs in once; a wrong code leaves it. A password that was changed meanwhile voids it: SIGN_IN_EXPIRED.
 */
export async function finishLogin(
  actor: Actor,
  { ticket, code }: FinishLoginInput & { ticket: string | undefined },
): Promise<SignedIn | Refused> {
  const at = now();
  const expired = { ok: false, code: "SIGN_IN_EXPIRED" } as const;
  const begun = ticket === undefined ? undefined : await readTicket(db(), ticket, at);
  if (ticket === undefined || begun === undefined) return expired;
  const passed = await mayTryCode(actor, begun.userId, code, at);
  if (!passed.ok) return passed;
  const done = await transaction(async (tx): Promise<SignedIn | Refused> => {
    const user = await holdUser(tx, begun.userId);
    // Read again under the lock: the other half of a double submit, or a new password, may have ended it.
    const still = await readTicket(tx, ticket, at);
    if (user === undefined || still === undefined) return expired;
    const suspended = await refuseSuspended(tx, actor, user, still.action, at);
    if (suspended !== undefined) return suspended;
    const proof = await passFactor(tx, actor, user, code, at);
    if (!proof.ok) return proof;
    await endTicket(tx, ticket);
    await endSessionOfActor(tx, actor);
    const { id, ...session } = await openSession(tx, user, actor, at);
    await record(tx, {
      by: { ...by(actor), userId: user.id },
      action: still.action,
      at,
      subject: { kind: "session", id },
      data: { secondFactor: proof.by },
    });
    return { ok: true, user: viewOf(user), session };
  });
  if (done.ok) rememberGoodPlace(actor);
  if (done.ok) await forgiveCodes(actor, begun.userId);
  return done;
}
