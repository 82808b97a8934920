import { publish, subscribe } from "#db/bus";
import { afterCommit, type Tx } from "#db/client";
import { now } from "#db/clock";
import type { Language } from "#locales";

/**
 * What instances tell each other about a room. A frame is encoded once, here, and passed on as it is:
 * `frame` one for all, `frames` one a language, each with the moment it was told (`at`, milliseconds; an older version tells none); `presence` and `who` are the presence leases; `cut` closes the sockets of
 * one member or, without a user, of all.
 */
export type RoomSignal =
  | { kind: "frame"; frame: string; at?: number }
  | { kind: "frames"; frames: Record<Language, string>; at?: number }
  | { kind: "presence"; userId: number; instance: string; status: string }
  | { kind: "who" }
  | { kind: "cut"; userId?: number };

/** The bus topic of a room. */
export function roomTopic(roomId: number): string {
  return `room:${roomId}`;
}

/** Tells every instance; never waits and never throws. */
export function signal(roomId: number, message: RoomSignal): void {
  const isFrame = message.kind === "frame" || message.kind === "frames";
  publish(roomTopic(roomId), JSON.stringify(isFrame ? { ...message, at: now().getTime() } : message));
}

/** The same once `tx` is committed. */
export function signalAfter(tx: Tx, roomId: number, message: RoomSignal): void {
  afterCommit(tx, () => signal(roomId, message));
}

/** Hears what is told about a room. Returns what stops it. */
export function onSignal(roomId: number, handler: (message: RoomSignal) => void): () => void {
  return subscribe(roomTopic(roomId), (message) => handler(JSON.parse(message) as RoomSignal));
}
