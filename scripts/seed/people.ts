import { randomBytes } from "node:crypto";
import { type Actor, type Member, register } from "#modules/identity";

/** The password of everyone in a demonstration. */
export const password = "midman demo 2025";

const origin = { ip: "127.0.0.1", device: "demonstration", language: "mn", requestId: "seed" } as const;
const visitor: Actor = { kind: "visitor", ...origin };

/** Registers one person and answers them as the actor of what follows. */
export async function enrol(name: string, displayName: string): Promise<Member> {
  const username = `${name}.${randomBytes(2).toString("hex")}`;
  const email = `${username}@midman.example`;
  const done = await register(visitor, { username, password, displayName, email });
  if (!done.ok) throw new Error(`seed: ${username} was refused: ${done.code}`);
  return {
    kind: "user",
    ...origin,
    userId: done.user.id,
    sessionId: 0,
    username,
    displayName,
    email,
    avatarInitials: done.user.avatarInitials,
    isAdmin: done.user.isAdmin,
    authenticatedAt: new Date(),
    mustChangePassword: false,
    mustSetUpFactor: false,
  };
}
