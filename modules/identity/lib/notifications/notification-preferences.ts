import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import type { Telling, TellingInput } from "../../forms.ts";
import { type Actor, by } from "../core/actor.ts";
import { holdUser, userById } from "../core/find-users.ts";
import { type NotSignedIn, requireUser } from "../core/require-actor.ts";
import { users } from "../core/schema.ts";
import { mayTry, type Throttled } from "../login/throttles.ts";
import { asMinutes, tellingOf } from "./quiet-hours.ts";

type Chosen = { ok: true; telling: Telling };

/** How who asks wants to be told of unread messages, and their quiet hours. */
export async function telling(actor: Actor): Promise<Chosen | NotSignedIn> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const user = await userById(db(), needed.member.userId);
  return user === undefined ? { ok: false, code: "AUTH_REQUIRED" } : { ok: true, telling: tellingOf(user) };
}

/** Chooses it anew, as a whole. Times are Mongolia's. Refuses THROTTLED: each choice stands in the log. */
export async function chooseTelling(
  actor: Actor,
  input: TellingInput,
): Promise<Chosen | NotSignedIn | Throttled> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const at = now();
  const passed = await mayTry({ "telling:user": String(needed.member.userId) }, at);
  if (!passed.ok) return passed;
  return transaction(async (tx) => {
    const user = await holdUser(tx, needed.member.userId);
    if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    if (isDeepStrictEqual(tellingOf(user), input)) return { ok: true, telling: input };
    const { pushMessages, mailMessages, quietFrom, quietTo } = input;
    const quiet = {
      quietFrom: quietFrom === null ? null : asMinutes(quietFrom),
      quietTo: quietTo === null ? null : asMinutes(quietTo),
    };
    await tx
      .update(users)
      .set({ pushMessages, mailMessages, ...quiet, updatedAt: at })
      .where(eq(users.id, user.id));
    const subject = { kind: "user", id: user.id };
    await record(tx, { by: by(actor), action: "notifications_chosen", at, subject, data: input });
    return { ok: true, telling: input };
  });
}
