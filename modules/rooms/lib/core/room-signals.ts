import { publishHint, subscribeToHints } from "#db/bus";
import { afterCommit, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { Language } from "#locales";

/**
 * Messages between instances about a room. A frame is encoded once, by the sender, and passed on unchanged: `frame` is one for everyone,
 * `frames` one for each language, both received with the time of sending (`at`, ms); `presence` and `who` maintain the presence leases;
 * `cut` closes the sockets of one member or, without a user, of everyone.
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

/** Publishes a signal to every instance; never waits and never throws. */
export function sendRoomSignal(roomId: number, message: RoomSignal): void {
  publishHint(roomTopic(roomId), encodeSignal(message, currentTime().getTime()));
}

/**
 * Encodes a signal as JSON. A frame is JSON already and follows its time unchanged: nested in other JSON, it would be encoded and parsed
 * twice.
 */
function encodeSignal(message: RoomSignal, at: number): string {
  if (message.kind === "frame") return `${at} ${message.frame}`;
  return JSON.stringify(message.kind === "frames" ? { ...message, at } : message);
}

function decodeSignal(text: string): RoomSignal {
  if (text.startsWith("{")) return JSON.parse(text) as RoomSignal;
  const end = text.indexOf(" ");
  return { kind: "frame", frame: text.slice(end + 1), at: Number(text.slice(0, end)) };
}

/** Publishes a signal once `tx` has committed. */
export function sendSignalAfterCommit(tx: Tx, roomId: number, message: RoomSignal): void {
  afterCommit(tx, () => sendRoomSignal(roomId, message));
}

/** Subscribes to a room's signals. Returns a function that unsubscribes. */
export function onRoomSignal(roomId: number, handler: (message: RoomSignal) => void): () => void {
  return subscribeToHints(roomTopic(roomId), (message) => handler(decodeSignal(message)));
}
