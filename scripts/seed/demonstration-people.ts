import { randomBytes } from "node:crypto";
import { type Actor, createAdminAtConsole, type Member, registerUser } from "#modules/identity";

/** The password of all users of a demonstration. */
export const demonstrationPassword = "midman demo 2025";

const demonstrationOrigin = {
  ip: "127.0.0.1",
  device: "demonstration",
  language: "mn",
  requestId: "seed",
} as const;
const demonstrationVisitor: Actor = { kind: "visitor", ...demonstrationOrigin };

/** Registers one person and returns them as an actor. */
export async function enrollPerson(name: string, displayName: string): Promise<Member> {
  const { username, email } = makeIdentity(name);
  const done = await registerUser(demonstrationVisitor, {
    username,
    password: demonstrationPassword,
    displayName,
    email,
  });
  if (!done.ok) throw new Error(`seed: ${username} was refused: ${done.code}`);
  const { id, avatarInitials } = done.user;
  return createMember({ userId: id, username, displayName, email, avatarInitials, isAdmin: false });
}

/** Creates one more administrator, as the operator would, with the password for the first sign-in. */
export async function enrollAdministrator(name: string): Promise<{ admin: Member; oneTimePassword: string }> {
  const { username, email } = makeIdentity(name);
  const done = await createAdminAtConsole({ username, email }, new Date());
  if (!done.ok) throw new Error(`seed: ${username} was refused: ${done.code}`);
  const { userId, oneTimePassword } = done;
  const admin = { userId, username, displayName: username, email, avatarInitials: "", isAdmin: true };
  return { admin: createMember(admin), oneTimePassword };
}

/** A different name each time, so that demonstrations can coexist. */
function makeIdentity(name: string): { username: string; email: string } {
  const username = `${name}.${randomBytes(2).toString("hex")}`;
  return { username, email: `${username}@midman.example` };
}

type Person = Pick<Member, "userId" | "username" | "displayName" | "email" | "avatarInitials" | "isAdmin">;

function createMember(person: Person): Member {
  const may = {
    authenticatedAt: new Date(),
    mustChangePassword: false,
    mustSetUpFactor: false,
    mustChooseName: false,
    mustAgree: false,
    mustUsePasskey: false,
    restriction: null,
  };
  return { kind: "user", ...demonstrationOrigin, sessionId: 0, ...person, ...may };
}
