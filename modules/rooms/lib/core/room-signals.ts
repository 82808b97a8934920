import { z } from "zod";
import { parseHint, publishHint, rejectHint, subscribeToHints } from "#db/bus";
import { afterCommit, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { supportedLanguages } from "#locales";
import { presenceStatuses } from "../socket/presence.ts";

/**
 * Messages between instances about a room. A frame is encoded once, by the sender, and passed on unchanged: `frame` is one for everyone,
 * `frames` one for each language, both received with the time of sending (`at`, ms); `presence` and `who` maintain the presence leases;
 * `cut` closes the sockets of one member or, without a user, of everyone.
 */
export type RoomSignal = { kind: "frame"; frame: string; at?: number } | z.infer<typeof encodedSignalSchema>;

const encodedSignalSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("frames"),
    frames: z.record(z.enum(supportedLanguages), z.string()),
    at: z.number().optional(),
  }),
  z.object({
    kind: z.literal("presence"),
    userId: z.int(),
    instance: z.string().min(1),
    status: z.enum(presenceStatuses),
  }),
  z.object({ kind: z.literal("who") }),
  z.object({ kind: z.literal("cut"), userId: z.int().optional() }),
]);

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

/** Undefined for what no version of Midman sent, which is counted and logged. */
function decodeSignal(topic: string, text: string): RoomSignal | undefined {
  if (text.startsWith("{")) return parseHint(topic, text, encodedSignalSchema);
  // Each frame of each room comes by here: a pattern takes six times as long. What the frame holds is checked by the browsers.
  const end = text.indexOf(" ");
  const [at, frame] = [Number(text.slice(0, end)), text.slice(end + 1)];
  if (end > 0 && Number.isSafeInteger(at) && frame.startsWith("{")) return { kind: "frame", frame, at };
  rejectHint(topic);
  return undefined;
}

/** Publishes a signal once `tx` has committed. */
export function sendSignalAfterCommit(tx: Tx, roomId: number, message: RoomSignal): void {
  afterCommit(tx, () => sendRoomSignal(roomId, message));
}

/** Subscribes to a room's signals. Returns a function that unsubscribes. */
export function onRoomSignal(roomId: number, handler: (message: RoomSignal) => void): () => void {
  const topic = roomTopic(roomId);
  return subscribeToHints(topic, (message) => {
    const signal = decodeSignal(topic, message);
    if (signal !== undefined) handler(signal);
  });
}
