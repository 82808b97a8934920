import { db, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import { sendMail } from "#modules/mailer";
import { avatarInitials, consentVersions, type RegisterInput } from "../../forms.ts";
import { type Actor, by } from "../core/actor.ts";
import { type UserRow, userByEmail, userByName } from "../core/find-users.ts";
import { consents, users } from "../core/schema.ts";
import { type UserView, viewOf } from "../core/user-view.ts";
import { usernameKey } from "../core/username.ts";
import { violatedConstraint } from "../core/violated-constraint.ts";
import { greetedName } from "../names/greeted-name.ts";
import { hashingPlaceOf, rememberGoodPlace } from "../password/hashing-sources.ts";
import {
  type BadPassword,
  badPassword,
  checkHashing,
  hashPassword,
  refusePassword,
} from "../password/passwords.ts";
import { neighbourhood } from "../request/network-neighbourhood.ts";
import { endSessionOfActor, type OpenedSession, openSession } from "../sessions/sessions.ts";
import { mayTry, type Throttled } from "./throttles.ts";
import { mailVerification } from "./verify-email.ts";

type Taken = { ok: false; code: "EMAIL_EXISTS" | "USERNAME_EXISTS"; fields: Record<string, string[]> };
type Refused = Taken | Throttled | { ok: false; code: BadPassword; fields: Record<string, string[]> };

/**
 * Makes a user, signed in at once, with their consent to the terms and the privacy text recorded; mails a welcome and
 * the link that proves the address. Names and addresses are unique whatever their case, also between registrations
 * at the same moment.
 */
export async function register(
  actor: Actor,
  input: RegisterInput,
): Promise<{ ok: true; user: UserView; session: OpenedSession } | Refused> {
  const at = now();
  const hasher = hashingPlaceOf(actor);
  checkHashing(hasher);
  const tries = { "register:ip": neighbourhood(actor.ip), "register:email": input.email.toLowerCase() };
  const passed = await mayTry(tries, at);
  if (!passed.ok) return passed;
  const bad = badPassword(input.password, false, input);
  if (bad !== undefined) return refusePassword(bad, "password");
  const taken = await alreadyTaken(input);
  if (taken !== undefined) return taken;

  const passwordHash = await hashPassword(input.password, hasher);
  try {
    const made = await transaction(async (tx) => {
      const user = await insertUser(tx, actor, input, passwordHash, at);
      await endSessionOfActor(tx, actor);
      const { id, ...session } = await openSession(tx, user, actor, at);
      const subject = { kind: "user", id: user.id };
      await record(tx, [
        {
          by: { ...by(actor), userId: user.id },
          action: "register",
          at,
          subject,
          data: { consents: consentVersions },
        },
        { by: { ...by(actor), userId: user.id }, action: "login", at, subject: { kind: "session", id } },
      ]);
      await greet(tx, user, at);
      return { ok: true as const, user: viewOf(user), session };
    });
    rememberGoodPlace(actor);
    return made;
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === "users_email") return emailTaken;
    if (constraint === "users_username") return usernameTaken;
    throw error;
  }
}

const emailTaken: Taken = { ok: false, code: "EMAIL_EXISTS", fields: { email: ["errors.EMAIL_EXISTS"] } };
const usernameTaken: Taken = {
  ok: false,
  code: "USERNAME_EXISTS",
  fields: { username: ["errors.USERNAME_EXISTS"] },
};

/** A look before the hash is paid for; the database's constraints decide. */
async function alreadyTaken(input: RegisterInput): Promise<Taken | undefined> {
  if ((await userByEmail(db(), input.email)) !== undefined) return emailTaken;
  return (await userByName(db(), input.username)) === undefined ? undefined : usernameTaken;
}

async function insertUser(
  tx: Tx,
  actor: Actor,
  input: RegisterInput,
  passwordHash: string,
  at: Date,
): Promise<UserRow> {
  const [user] = await tx
    .insert(users)
    .values({
      username: input.username,
      usernameKey: usernameKey(input.username),
      email: input.email,
      displayName: input.displayName,
      avatarInitials: avatarInitials(input.avatarInitials, input.displayName),
      passwordHash,
      language: actor.language,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (user === undefined) throw new Error("identity: a user was not stored");
  await tx.insert(consents).values(
    (["terms", "privacy"] as const).map((document) => ({
      userId: user.id,
      document,
      version: consentVersions[document],
      consentedAt: at,
    })),
  );
  return user;
}

async function greet(tx: Tx, user: UserRow, at: Date): Promise<void> {
  if (user.email === null) return;
  await sendMail(tx, {
    template: "welcome",
    to: user.email,
    language: user.language,
    data: { name: greetedName(user), url: "/" },
    userId: user.id,
  });
  await mailVerification(tx, user, at);
}
