import { Elysia } from "elysia";
import { currentTime } from "#db/clock";
import { originOf } from "../request/request-facts.ts";
import { sessionTokenOf } from "../request/session-cookie.ts";
import { suspensionOfToken } from "../restrictions/suspensions/suspended-sessions.ts";
import { memberOf } from "../sessions/sessions.ts";
import type { Actor } from "./actor.ts";

const actorsByRequest = new WeakMap<Request, Promise<Actor>>();

/**
 * Who asks, read from Postgres once a request however often it is called; a revoked session is nobody at once.
 * `ip` is the socket's address as the server knows it; the first call for a request decides.
 */
export function actorOf(request: Request, ip?: string): Promise<Actor> {
  const known = actorsByRequest.get(request);
  if (known !== undefined) return known;
  const actor = resolveActor(request, ip);
  actorsByRequest.set(request, actor);
  return actor;
}

/** Who asks, where somebody has asked so of this request already; asks the database nothing. */
export async function knownActorOf(request: Request): Promise<Actor | undefined> {
  return actorsByRequest.get(request)?.catch(() => undefined);
}

async function resolveActor(request: Request, ip?: string): Promise<Actor> {
  const origin = originOf(request, ip);
  const token = sessionTokenOf(request);
  if (token === undefined) return { ...origin, kind: "visitor" };
  const member = await memberOf(token, currentTime());
  if (member !== undefined && speaksFor(request, member.userId)) return { ...origin, ...member };
  const suspension = member === undefined ? await suspensionOfToken(token, currentTime()) : undefined;
  return { ...origin, kind: "visitor", ...(suspension && { suspension }) };
}

/**
 * A page may say whose it is (`X-Midman-User`). What waited in it is not sent in the name of somebody else who has signed in at
 * the same browser since: such a request is nobody's.
 */
function speaksFor({ headers }: Request, userId: number): boolean {
  const said = headers.get("x-midman-user");
  return said === null || said === String(userId);
}

/** Gives `actor` to the handlers of whichever plugin uses it. */
export const withActor = new Elysia({ name: "identity.actor" }).derive(
  { as: "scoped" },
  async ({ request, server }): Promise<{ actor: Actor }> => ({
    actor: await actorOf(request, server?.requestIP(request)?.address),
  }),
);
