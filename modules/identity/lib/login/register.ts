import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { sendMail } from "#modules/mailer";
import {
  avatarInitials,
  type ConsentDocument,
  consentDocuments,
  consentVersions,
  type RegisterInput,
} from "../../forms.ts";
import { recordConsents } from "../consents/stored-consents.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import type { UserView } from "../core/responses.ts";
import { usersTable } from "../core/schema.ts";
import { type UserRow, userByEmail, userByName } from "../core/users/find-users.ts";
import { userViewOf } from "../core/users/user-view.ts";
import { usernameKey } from "../core/users/username.ts";
import { violatedConstraint } from "../core/violated-constraint.ts";
import { greetedName } from "../names/greeted-name.ts";
import { hashingPlaceOf, rememberSignInPlace } from "../password/hashing-sources.ts";
import {
  checkHashing,
  findWeakness,
  hashPassword,
  refusePassword,
  type WeakPassword,
} from "../password/passwords.ts";
import { networkPrefixOf } from "../request/network-prefix.ts";
import { endSessionOfActor, type OpenedSession, openSession } from "../sessions/sessions.ts";
import { mayTry, type ThrottleRefusal } from "./throttles.ts";
import { mailVerification } from "./verify-email.ts";

type TakenRefusal = { ok: false; code: "EMAIL_EXISTS" | "USERNAME_EXISTS"; fields: Record<string, string[]> };
type RegisterRefusal =
  | TakenRefusal
  | ThrottleRefusal
  | { ok: false; code: WeakPassword; fields: Record<string, string[]> };

/**
 * Registers a user, signs them in, and records their consent to the terms and the privacy policy in the versions that they were shown; mails a welcome and the link that verifies
 * the email address. Usernames and email addresses are unique in any case, also among simultaneous registrations.
 */
export async function registerUser(
  actor: Actor,
  input: RegisterInput,
): Promise<{ ok: true; user: UserView; session: OpenedSession } | RegisterRefusal> {
  const at = currentTime();
  const hasher = hashingPlaceOf(actor);
  checkHashing(hasher);
  const tries = { "register:ip": networkPrefixOf(actor.ip), "register:email": input.email.toLowerCase() };
  const passed = await mayTry(tries, at);
  if (!passed.ok) return passed;
  const bad = findWeakness(input.password, input);
  if (bad !== undefined) return refusePassword(bad, "password");
  const taken = await findTakenRefusal(input);
  if (taken !== undefined) return taken;

  const passwordHash = await hashPassword(input.password, hasher);
  try {
    const made = await runInTransaction(async (tx) => {
      const user = await insertUser(tx, actor, input, passwordHash, at);
      await endSessionOfActor(tx, actor);
      const { id, ...session } = await openSession(tx, user, actor, at);
      const subject = { kind: "user", id: user.id };
      await recordAuditEntry(tx, [
        {
          by: { ...auditAuthorOf(actor), userId: user.id },
          action: "register",
          at,
          subject,
          data: { consents: versionsOf(shownDocuments(input)) },
        },
        {
          by: { ...auditAuthorOf(actor), userId: user.id },
          action: "login",
          at,
          subject: { kind: "session", id },
        },
      ]);
      await mailWelcome(tx, user, at);
      return { ok: true as const, user: userViewOf(user), session };
    });
    rememberSignInPlace(actor);
    return made;
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === "users_email") return emailTakenRefusal;
    if (constraint === "users_username") return usernameTakenRefusal;
    throw error;
  }
}

const emailTakenRefusal: TakenRefusal = {
  ok: false,
  code: "EMAIL_EXISTS",
  fields: { email: ["errors.EMAIL_EXISTS"] },
};
const usernameTakenRefusal: TakenRefusal = {
  ok: false,
  code: "USERNAME_EXISTS",
  fields: { username: ["errors.USERNAME_EXISTS"] },
};

/** Checked before the cost of hashing; the database's constraints decide. */
async function findTakenRefusal(input: RegisterInput): Promise<TakenRefusal | undefined> {
  if ((await userByEmail(db(), input.email)) !== undefined) return emailTakenRefusal;
  return (await userByName(db(), input.username)) === undefined ? undefined : usernameTakenRefusal;
}

async function insertUser(
  tx: Tx,
  actor: Actor,
  input: RegisterInput,
  passwordHash: string,
  at: Date,
): Promise<UserRow> {
  const [user] = await tx
    .insert(usersTable)
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
  await recordConsents(tx, user.id, shownDocuments(input), at);
  return user;
}

/** The documents that the form showed in the version in force. The others are agreed to at the first page (`mustAgreeCondition`). */
function shownDocuments(input: RegisterInput): ConsentDocument[] {
  return consentDocuments.filter(
    (document) => (input[document] ?? consentVersions[document]) === consentVersions[document],
  );
}

const versionsOf = (documents: readonly ConsentDocument[]) =>
  Object.fromEntries(documents.map((document) => [document, consentVersions[document]]));

async function mailWelcome(tx: Tx, user: UserRow, at: Date): Promise<void> {
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
