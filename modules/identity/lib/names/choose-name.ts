import { eq } from "drizzle-orm";
import { transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import { avatarInitials, type ChooseNameInput } from "../../forms.ts";
import { type Actor, by } from "../core/actor.ts";
import { holdUser, type UserRow } from "../core/find-users.ts";
import { profileChanges, users } from "../core/schema.ts";
import { type UserView, viewOf } from "../core/user-view.ts";
import { usernameKey } from "../core/username.ts";
import { violatedConstraint } from "../core/violated-constraint.ts";
import { mayTry, type Throttled } from "../login/throttles.ts";
import { type NameRefusals, nameRefusals } from "./name-refusals.ts";

type Chosen = { ok: true; user: UserView };
type Refused = { ok: false; code: "AUTH_REQUIRED" | "PASSWORD_CHANGE_REQUIRED" } | Throttled;
type Unusable = { ok: false; code: "VALIDATION" | "USERNAME_EXISTS"; fields: Record<string, string[]> };

/** What is wrong with the names of who asks, which they must replace; undefined where nothing is. */
export function ownNameRefusals(actor: Actor): NameRefusals | undefined {
  return actor.kind === "user" && actor.mustChooseName ? nameRefusals(actor) : undefined;
}

/**
 * Replaces those names of who asks that are not allowed any more; one that is allowed stays, whatever was sent. It is the one thing
 * such a person may do (`requireUser`). What stood before is kept beside the log and goes with the person. Repeating it
 * changes nothing. Refuses VALIDATION where a name is missing, USERNAME_EXISTS and THROTTLED.
 */
export async function chooseName(actor: Actor, input: ChooseNameInput): Promise<Chosen | Refused | Unusable> {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  if (actor.mustChangePassword) return { ok: false, code: "PASSWORD_CHANGE_REQUIRED" };
  const at = now();
  const turn = await mayTry({ "name:user": String(actor.userId) }, at);
  if (!turn.ok) return turn;
  try {
    return await transaction(async (tx) => {
      const user = await holdUser(tx, actor.userId);
      if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
      const bad = nameRefusals(user);
      if (bad === undefined) return { ok: true, user: viewOf(user) };
      const wanted = replaced(user, bad, input);
      const still = nameRefusals({ ...user, ...wanted });
      if (still !== undefined) return { ok: false, code: "VALIDATION", fields: said(still) };
      await tx
        .update(users)
        .set({ ...wanted, usernameKey: usernameKey(wanted.username), updatedAt: at })
        .where(eq(users.id, user.id));
      if (bad.displayName !== undefined) {
        const [before, after] = [{ displayName: user.displayName }, { displayName: wanted.displayName }];
        await tx.insert(profileChanges).values({ userId: user.id, changedBy: user.id, at, before, after });
      }
      const subject = { kind: "user", id: user.id };
      await record(tx, {
        by: by(actor),
        action: "name_chosen",
        at,
        subject,
        data: { fields: Object.keys(bad) },
      });
      return { ok: true, user: viewOf({ ...user, ...wanted }) };
    });
  } catch (error) {
    if (violatedConstraint(error) !== "users_username") throw error;
    return { ok: false, code: "USERNAME_EXISTS", fields: { username: ["errors.USERNAME_EXISTS"] } };
  }
}

function replaced(user: UserRow, bad: NameRefusals, input: ChooseNameInput) {
  const username = (bad.username && input.username) || user.username;
  const displayName = (bad.displayName && input.displayName) || user.displayName;
  const changed = displayName !== user.displayName;
  return {
    username,
    displayName,
    avatarInitials: changed ? avatarInitials(null, displayName) : user.avatarInitials,
  };
}

function said(refusals: NameRefusals): Record<string, string[]> {
  return Object.fromEntries(Object.entries(refusals).map(([field, key]) => [field, [key]]));
}
