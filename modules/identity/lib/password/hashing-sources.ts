import { currentTime } from "#db/clock";
import type { Actor } from "../core/actor.ts";
import { networkPrefixOf } from "../request/network-prefix.ts";
import type { HashingPlace } from "./hashing-queue.ts";

/** After a successful sign-in from a network, this many hashes for it rank as "known", for this long (ms). */
const priorityTriesPerPlace = 20;
const GOOD_MS = 24 * 3_600_000;
/** Number of networks remembered; beyond it, the one with the oldest sign-in is dropped. */
const mostPlaces = 10_000;

const recentSignIns = new Map<string, { tries: number; until: number }>();

/**
 * An actor's place in the hashing queue: the account, or without a session the network, which ranks as "known" while it has tries left from
 * a successful sign-in there; this call uses one up. Never depends on the typed username: the waiting time would reveal whether that user
 * exists and whether they sign in from here.
 */
export function hashingPlaceOf(actor: Actor): HashingPlace {
  if (actor.kind === "user") return hashingPlaceOfUser(actor.userId);
  const name = networkPrefixOf(actor.ip);
  return { rank: consumePriorityTry(name) ? "known" : "unknown", name };
}

/** The place of someone who has proved their identity in another way: by a mailed link, or by the password itself. */
export function hashingPlaceOfUser(userId: number): HashingPlace {
  return { rank: "known", name: `user ${userId}` };
}

/** Records a successful sign-in from this address's network. */
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
