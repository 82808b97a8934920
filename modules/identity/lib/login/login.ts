import { eq } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import type { AdminLoginInput, LoginInput } from "../../forms.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import type { UserView } from "../core/responses.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser, type UserRow, userByEmail, userByName } from "../core/users/find-users.ts";
import { userViewOf } from "../core/users/user-view.ts";
import { usernameKey } from "../core/users/username.ts";
import type { HashingPlace } from "../password/hashing-queue.ts";
import { hashingPlaceOf, hashingPlaceOfUser, rememberSignInPlace } from "../password/hashing-sources.ts";
import {
  checkHashing,
  HashingOverloadError,
  hashPassword,
  isPasswordCorrect,
  needsRehash,
} from "../password/passwords.ts";
import { networkPrefixOf } from "../request/network-prefix.ts";
import type { RestrictionRefusal } from "../restrictions/restriction-in-force.ts";
import { refuseSuspended } from "../restrictions/suspensions/refuse-suspended.ts";
import { endSessionOfActor, type OpenedSession, openSession } from "../sessions/sessions.ts";
import { mayTryHere } from "./attempts-by-place.ts";
import { type LoginAction, type LoginTicket, openTicket } from "./login-tickets.ts";
import { forgiveTries, type ThrottleRefusal } from "./throttles.ts";

export type LoginSuccess = { ok: true; user: UserView; session: OpenedSession };
/** The password was correct and a code is needed (`finishLogin`); no session yet. */
export type SecondFactorRequired = { ok: false; code: "SECOND_FACTOR_REQUIRED"; ticket: LoginTicket };
type LoginOutcome = LoginSuccess | SecondFactorRequired;
/** The password was correct, but an administrator has suspended the account: the reason and the end. */
export type SuspendedLogin = RestrictionRefusal<"ACCOUNT_SUSPENDED">;
type LoginRefusal<Code extends string> = { ok: false; code: Code } | ThrottleRefusal;

/**
 * Signs a person in, by username or email address. Ends the session that the browser came with, whoever it belonged to, and issues a new
 * token. With the second factor on, returns SECOND_FACTOR_REQUIRED and a ticket, which the route stores in this browser only. Refuses
 * ACCOUNT_SUSPENDED only after a correct password. INVALID_CREDENTIALS reveals neither which of the two was wrong nor whether the user
 * exists; nor does the time it takes.
 */
export async function signInWithPassword(
  actor: Actor,
  input: LoginInput,
): Promise<LoginOutcome | SuspendedLogin | LoginRefusal<"INVALID_CREDENTIALS">> {
  const done = await signIn(actor, input, "login", () => true);
  return done ?? { ok: false, code: "INVALID_CREDENTIALS" };
}

/** Signs an administrator in, like `signInWithPassword`. Refuses anyone else's correct password as if it were wrong. */
export async function adminLogin(
  actor: Actor,
  input: AdminLoginInput,
): Promise<LoginOutcome | LoginRefusal<"ADMIN_CREDENTIALS">> {
  const done = await signIn(actor, input, "admin_login", (user) => user.isAdmin);
  // The database refuses to restrict an administrator (`users_restricted_admin`).
  if (done?.ok === false && done.code === "ACCOUNT_SUSPENDED")
    throw new Error("identity: an administrator is suspended");
  return done ?? { ok: false, code: "ADMIN_CREDENTIALS" };
}

/** The username of what was typed. Usernames contain no @, so an email address means its owner only. */
async function resolveUsername(typed: string): Promise<string> {
  if (!typed.includes("@")) return typed;
  return (await userByEmail(db(), typed))?.username ?? typed;
}

async function signIn(
  actor: Actor,
  given: LoginInput,
  action: LoginAction,
  admits: (user: UserRow) => boolean,
): Promise<LoginOutcome | SuspendedLogin | ThrottleRefusal | undefined> {
  const at = currentTime();
  const hasher = hashingPlaceOf(actor);
  checkHashing(hasher);
  // Wrong attempts by name and by email address share one count.
  const input = { ...given, username: await resolveUsername(given.username) };
  const key = usernameKey(input.username);
  const place = networkPrefixOf(actor.ip);
  const here = { "login:account-ip": `${key} ${place}` };
  const account = { "login:account": key };
  // A name that nobody has takes as long.
  const owner = async () => (await userByName(db(), input.username))?.id ?? 0;
  const passed = await mayTryHere(
    actor,
    { here: { "login:ip": place, ...here }, anywhere: account, owner },
    at,
  );
  if (!passed.ok) return passed;

  const tried = { input, hasher, action, admits, at };
  let done = await attemptLogin(actor, tried);
  while (done === "changed") done = await attemptLogin(actor, tried);
  if (done !== undefined) rememberSignInPlace(actor);
  if (done !== undefined) await forgiveTries({ ...here, ...account });
  return done;
}

type LoginAttempt = {
  input: LoginInput;
  hasher: HashingPlace;
  action: LoginAction;
  admits: (user: UserRow) => boolean;
  at: Date;
};

/** One attempt on one read of the user; "changed" if the password, or the administrator's right, changed after the read. */
async function attemptLogin(
  actor: Actor,
  { input, hasher, action, admits, at }: LoginAttempt,
): Promise<LoginOutcome | SuspendedLogin | "changed" | undefined> {
  const user = await userByName(db(), input.username);
  const fits = await isPasswordCorrect(input.password, user?.passwordHash, hasher);
  if (fits && user?.passwordHash && admits(user)) {
    const rehashed = needsRehash(user.passwordHash) ? await rehashPassword(input.password, user.id) : null;
    return runInTransaction((tx) => completeLogin(tx, actor, user, rehashed, action, at));
  }
  await runInTransaction(async (tx) => {
    // What was typed is not recorded: people type passwords into the wrong field.
    const subject = user && { kind: "user", id: user.id };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: `${action}_failed`,
      at,
      ...(subject && { subject }),
    });
  });
  return undefined;
}

/** Hashes at the current cost; null if too many wait for hashing, and another login will do it. */
function rehashPassword(password: string, userId: number): Promise<string | null> {
  return hashPassword(password, hashingPlaceOfUser(userId)).catch((error) => {
    if (error instanceof HashingOverloadError) return null;
    throw error;
  });
}

async function completeLogin(
  tx: Tx,
  actor: Actor,
  admitted: UserRow,
  rehashed: string | null,
  action: LoginAction,
  at: Date,
): Promise<LoginOutcome | SuspendedLogin | "changed"> {
  const held = await holdUser(tx, admitted.id);
  // The password was checked before the row was locked: it may have been changed, or the person deleted, since.
  const same = held?.passwordHash === admitted.passwordHash && held.isAdmin === admitted.isAdmin;
  if (!same) return "changed";
  const suspended = await refuseSuspended(tx, actor, held, action, at);
  if (suspended !== undefined) return suspended;
  if (rehashed !== null)
    await tx.update(usersTable).set({ passwordHash: rehashed }).where(eq(usersTable.id, held.id));
  if (held.secondFactorAt !== null) return askForCode(tx, actor, held, action, at);
  await endSessionOfActor(tx, actor);
  const { id, ...session } = await openSession(tx, held, actor, at);
  await recordAuditEntry(tx, {
    by: { ...auditAuthorOf(actor), userId: held.id },
    action,
    at,
    subject: { kind: "session", id },
    ...(rehashed !== null && { data: { rehashed: true } }),
  });
  return { ok: true, user: userViewOf(held), session };
}

async function askForCode(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  action: LoginAction,
  at: Date,
): Promise<SecondFactorRequired> {
  const ticket = await openTicket(tx, user.id, action, at);
  const subject = { kind: "user", id: user.id };
  await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "second_factor_asked", at, subject });
  return { ok: false, code: "SECOND_FACTOR_REQUIRED", ticket };
}
