import { eq } from "drizzle-orm";
import { db } from "#db/client";
import type { RegisterInput } from "../../forms.ts";
import { registerUser } from "../login/register.ts";
import { memberOf } from "../sessions/sessions.ts";
import type { Actor, Visitor } from "./actor.ts";
import { usersTable } from "./schema.ts";

// Test helpers: visitors and registered people, each with an IP address of their own.

let made = 0;

/** A visitor with an IP address of their own unless given, so that throttles of different tests do not meet. */
export function visitor(parts: Partial<Visitor> = {}): Visitor {
  made += 1;
  const ip = `10.${(made >> 16) & 255}.${(made >> 8) & 255}.${made & 255}`;
  return { kind: "visitor", ip, device: "a test", language: "en", requestId: `request-${made}`, ...parts };
}

/** Registration input with a unique username and email. */
export function application(parts: Partial<RegisterInput> = {}): RegisterInput {
  made += 1;
  const username = `user${made}x${crypto.randomUUID().slice(0, 6)}`;
  return {
    username,
    email: `${username}@example.mn`,
    password: "correct horse",
    displayName: "Bat Bold",
    ...parts,
  };
}

/** A registered person: the input, id and token, and the actor. */
export async function someone(parts: Partial<RegisterInput> = {}, from: Visitor = visitor()) {
  const input = application(parts);
  const done = await registerUser(from, input);
  if (!done.ok) throw new Error(`registration refused: ${done.code}`);
  const actor = await actorBy(done.session.token);
  return { ...input, id: done.user.id, token: done.session.token, actor };
}

/** An administrator whose password need not be changed. */
export async function anAdmin() {
  const person = await someone({ password: "a long administrator's word" });
  await db().update(usersTable).set({ isAdmin: true }).where(eq(usersTable.id, person.id));
  return { ...person, actor: await actorBy(person.token) };
}

/** The actor of this token; throws if the token is invalid. */
export async function actorBy(token: string, now: Date = new Date()): Promise<Actor & { kind: "user" }> {
  const member = await memberOf(token, now);
  if (member === undefined) throw new Error("the token is dead");
  return { ...visitor(), ...member };
}
