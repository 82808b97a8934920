import { currentTime } from "#db/clock";
import type { Actor } from "../core/actor.ts";
import { networkPrefixOf } from "../request/network-prefix.ts";
import type { HashingPlace } from "./hashing-queue.ts";

/** So many tries of a neighbourhood go first after a sign-in that succeeded there, for so long. */
const priorityTriesPerPlace = 20;
const GOOD_MS = 24 * 3_600_000;
/** So many neighbourhoods are remembered; the one whose last sign-in is the longest ago is forgotten. */
const mostPlaces = 10_000;

const recentSignIns = new Map<string, { tries: number; until: number }>();

/**
 * How somebody stands in the line: by their session, else by their neighbourhood, which goes first while it has tries left of a
 * sign-in that succeeded there. Never by the name that was typed: how long somebody waits would say whether there is such a user, and
 * whether they sign in from here.
 */
export function hashingPlaceOf(actor: Actor): HashingPlace {
  if (actor.kind === "user") return hashingPlaceOfUser(actor.userId);
  const name = networkPrefixOf(actor.ip);
  return { rank: consumePriorityTry(name) ? "known" : "unknown", name };
}

/** How somebody stands who has proved who they are in another way: by a mailed link, or by the password itself. */
export function hashingPlaceOfUser(userId: number): HashingPlace {
  return { rank: "known", name: `user ${userId}` };
}

/** A sign-in has succeeded there. */
export function rememberSignInPlace({ ip }: Pick<Actor, "ip">): void {
  const name = networkPrefixOf(ip);
  recentSignIns.delete(name);
  recentSignIns.set(name, { tries: priorityTriesPerPlace, until: currentTime().getTime() + GOOD_MS });
  if (recentSignIns.size <= mostPlaces) return;
  const [oldest] = recentSignIns.keys();
  if (oldest !== undefined) recentSignIns.delete(oldest);
}

function consumePriorityTry(name: string): boolean {
  const found = recentSignIns.get(name);
  if (found === undefined) return false;
  found.tries -= 1;
  if (found.tries < 0 || found.until < currentTime().getTime()) recentSignIns.delete(name);
  return recentSignIns.has(name);
}
