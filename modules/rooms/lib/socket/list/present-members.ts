import type { PresenceChange } from "../presence.ts";
import { openHubs } from "../socket-lifecycle.ts";

/**
 * Each member of these rooms who is present, as far as this instance knows; whoever is not named is offline, or in a room that only another
 * instance knows.
 */
export function presentMembers(roomIds: readonly number[]): Map<number, PresenceChange[]> {
  const hubs = openHubs();
  return new Map(roomIds.map((roomId) => [roomId, hubs.flatMap((hub) => hub.present(roomId))]));
}
