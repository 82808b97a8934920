import { Elysia } from "elysia";
import { currentTime } from "#db/clock";
import { originOf } from "../request/request-facts.ts";
import { sessionTokenOf } from "../request/session-cookie.ts";
import { suspensionOfToken } from "../restrictions/suspensions/suspended-sessions.ts";
import { memberOf } from "../sessions/sessions.ts";
import type { Actor } from "./actor.ts";

const actorsByRequest = new WeakMap<Request, Promise<Actor>>();

/**
 * The actor of a request, read from Postgres once per request however often it is called. A revoked session makes a visitor at once. `ip`
 * is the socket's address as the server reports it; the first call for a request decides.
 */
export function actorOf(request: Request, ip?: string): Promise<Actor> {
  const known = actorsByRequest.get(request);
  if (known !== undefined) return known;
  const actor = resolveActor(request, ip);
  actorsByRequest.set(request, actor);
  return actor;
}

/** The actor of a request if `actorOf` has already been called for it, without a database query. */
export async function knownActorOf(request: Request): Promise<Actor | undefined> {
  return actorsByRequest.get(request)?.catch(() => undefined);
}

async function resolveActor(request: Request, ip?: string): Promise<Actor> {
  const origin = originOf(request, ip);
  const token = sessionTokenOf(request);
  if (token === undefined) return { ...origin, kind: "visitor" };
  const member = await memberOf(token, currentTime());
  if (member !== undefined && speaksFor(request, member.userId)) return { ...origin, ...member };
  if (member !== undefined) return { ...origin, kind: "visitor", isOther: true };
  const suspension = await suspensionOfToken(token, currentTime());
  return { ...origin, kind: "visitor", ...(suspension && { suspension }) };
}

/**
 * A page may state whose it is (`X-Midman-User`). Requests queued in it must not be sent in the name of someone else who has since signed
 * in in the same browser: such a request counts as a visitor's.
 */
function speaksFor({ headers }: Request, userId: number): boolean {
  const said = headers.get("x-midman-user");
  return said === null || said === String(userId);
}

/** Adds `actor` to the context of every plugin that uses it. */
export const withActor = new Elysia({ name: "identity.actor" }).derive(
  { as: "scoped" },
  async ({ request, server }): Promise<{ actor: Actor }> => ({
    actor: await actorOf(request, server?.requestIP(request)?.address),
  }),
);
