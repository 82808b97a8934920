import { publishHint, subscribeToHints } from "#db/bus";
import { afterCommit, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { Language } from "#locales";

/**
 * What instances tell each other about a room. A frame is encoded once, here, and passed on as it is:
 * `frame` one for all, `frames` one a language, each heard with the moment it was told (`at`, milliseconds); `presence` and `who`
 * are the presence leases; `cut` closes the sockets of one member or, without a user, of all.
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
export function sendRoomSignal(roomId: number, message: RoomSignal): void {
  publishHint(roomTopic(roomId), encodeSignal(message, currentTime().getTime()));
}

/** JSON; but a frame, which is JSON already, as it is behind its moment: packed into another it would be spelled and read twice. */
function encodeSignal(message: RoomSignal, at: number): string {
  if (message.kind === "frame") return `${at} ${message.frame}`;
  return JSON.stringify(message.kind === "frames" ? { ...message, at } : message);
}

function decodeSignal(text: string): RoomSignal {
  if (text.startsWith("{")) return JSON.parse(text) as RoomSignal;
  const end = text.indexOf(" ");
  return { kind: "frame", frame: text.slice(end + 1), at: Number(text.slice(0, end)) };
}

/** The same once `tx` is committed. */
export function sendSignalAfterCommit(tx: Tx, roomId: number, message: RoomSignal): void {
  afterCommit(tx, () => sendRoomSignal(roomId, message));
}

/** Hears what is told about a room. Returns what stops it. */
export function onRoomSignal(roomId: number, handler: (message: RoomSignal) => void): () => void {
  return subscribeToHints(roomTopic(roomId), (message) => handler(decodeSignal(message)));
}
