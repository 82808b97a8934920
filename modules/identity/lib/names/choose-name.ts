import { eq } from "drizzle-orm";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { avatarInitials, type ChooseNameInput } from "../../forms.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import type { UserView } from "../core/responses.ts";
import { profileChangesTable, usersTable } from "../core/schema.ts";
import { holdUser, type UserRow } from "../core/users/find-users.ts";
import { userViewOf } from "../core/users/user-view.ts";
import { usernameKey } from "../core/users/username.ts";
import { violatedConstraint } from "../core/violated-constraint.ts";
import { mayTry, type ThrottleRefusal } from "../login/throttles.ts";
import { type NameRefusals, nameRefusals } from "./name-refusals.ts";

type ChosenName = { ok: true; user: UserView };
type ChooseNameRefusal = { ok: false; code: "AUTH_REQUIRED" | "PASSWORD_CHANGE_REQUIRED" } | ThrottleRefusal;
type UnusableName = { ok: false; code: "VALIDATION" | "USERNAME_EXISTS"; fields: Record<string, string[]> };

/** What is wrong with the actor's names, which they must replace; undefined if nothing is. */
export function ownNameRefusals(actor: Actor): NameRefusals | undefined {
  return actor.kind === "user" && actor.mustChooseName ? nameRefusals(actor) : undefined;
}

/**
 * Replaces those names of the actor that are no longer allowed; an allowed one stays, whatever was sent. Such a person may do nothing else
 * (`requireUser`). The earlier display name is stored in `profile_changes`, which is erased with the person. Repeating it changes nothing.
 * Refuses VALIDATION if a name is missing or not allowed, USERNAME_EXISTS and THROTTLED.
 */
export async function chooseName(
  actor: Actor,
  input: ChooseNameInput,
): Promise<ChosenName | ChooseNameRefusal | UnusableName> {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  if (actor.mustChangePassword) return { ok: false, code: "PASSWORD_CHANGE_REQUIRED" };
  const at = currentTime();
  const turn = await mayTry({ "name:user": String(actor.userId) }, at);
  if (!turn.ok) return turn;
  try {
    return await runInTransaction(async (tx) => {
      const user = await holdUser(tx, actor.userId);
      if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
      const bad = nameRefusals(user);
      if (bad === undefined) return { ok: true, user: userViewOf(user) };
      const wanted = replaceRefusedNames(user, bad, input);
      const still = nameRefusals({ ...user, ...wanted });
      if (still !== undefined) return { ok: false, code: "VALIDATION", fields: fieldsOfRefusals(still) };
      await tx
        .update(usersTable)
        .set({ ...wanted, usernameKey: usernameKey(wanted.username), updatedAt: at })
        .where(eq(usersTable.id, user.id));
      if (bad.displayName !== undefined) {
        const [before, after] = [{ displayName: user.displayName }, { displayName: wanted.displayName }];
        await tx
          .insert(profileChangesTable)
          .values({ userId: user.id, changedBy: user.id, at, before, after });
      }
      const subject = { kind: "user", id: user.id };
      await recordAuditEntry(tx, {
        by: auditAuthorOf(actor),
        action: "name_chosen",
        at,
        subject,
        data: { fields: Object.keys(bad) },
      });
      return { ok: true, user: userViewOf({ ...user, ...wanted }) };
    });
  } catch (error) {
    if (violatedConstraint(error) !== "users_username") throw error;
    return { ok: false, code: "USERNAME_EXISTS", fields: { username: ["errors.USERNAME_EXISTS"] } };
  }
}

function replaceRefusedNames(user: UserRow, bad: NameRefusals, input: ChooseNameInput) {
  const username = (bad.username && input.username) || user.username;
  const displayName = (bad.displayName && input.displayName) || user.displayName;
  const changed = displayName !== user.displayName;
  return {
    username,
    displayName,
    avatarInitials: changed ? avatarInitials(null, displayName) : user.avatarInitials,
  };
}

function fieldsOfRefusals(refusals: NameRefusals): Record<string, string[]> {
  return Object.fromEntries(Object.entries(refusals).map(([field, key]) => [field, [key]]));
}
