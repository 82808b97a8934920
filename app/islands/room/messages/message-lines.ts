import type { Message, Seat } from "../types.ts";
import { dayOf } from "./clock.ts";

/** Messages of one sender within this long of each other stand together under one name. */
const groupWindowMs = 5 * 60_000;

/** A message with what stands around it. */
export interface MessageLine {
  message: Message;
  /** The day that begins with it, `yyyy-MM-dd`. */
  day?: string;
  /** What was new when the page was opened begins with it. */
  isFirstNew: boolean;
  /** It begins a group: the sender's name stands over it. */
  isFirst: boolean;
}

/** So many `seq` stand together in one part of the conversation, which is drawn anew only when something in it changes. */
const partLength = 5;

/** Which part a message belongs to. */
export const partOf = (seq: number) => Math.floor(seq / partLength);

/** So many `seq` stand together in a stretch, in whole parts: it comes in as one, and is passed by as one while it is far away. */
export const stretchLength = 10 * partLength;

/** Which stretch a message belongs to. */
export const stretchOf = (seq: number) => Math.floor(seq / stretchLength);

export const seqOf = (line: MessageLine | undefined) => line?.message.seq ?? 0;

/** Payment messages carry data for programs (product-spec §3), which nobody reads. */
export function isReadableMessage({ type }: Message): boolean {
  return type !== "payment" && type !== "payment_qr";
}

/** What a conversation consists of, in parts that keep their borders however it grows. */
export function messageLinesOf(messages: Message[], firstNew: number | undefined): MessageLine[][] {
  const shown = messages.filter(isReadableMessage);
  const lines = shown.map((message, at) => messageLineOf(message, shown[at - 1], message.seq === firstNew));
  return groupConsecutive(lines, (line) => partOf(seqOf(line)));
}

/** The parts of a conversation in their stretches. */
export function stretchesOf(parts: MessageLine[][]): MessageLine[][][] {
  return groupConsecutive(parts, (part) => stretchOf(seqOf(part[0])));
}

/** Cut wherever the next one belongs to another. */
function groupConsecutive<T>(all: T[], belongsTo: (one: T) => number): T[][] {
  const pieces: T[][] = [];
  let last = Number.NaN;
  for (const one of all) {
    const own = belongsTo(one);
    if (own !== last) pieces.push([]);
    last = own;
    pieces.at(-1)?.push(one);
  }
  return pieces;
}

/** A conversation is cut anew with every change of it: a line whose neighbours are the same stays the same object. */
const lineCache = new WeakMap<Message, MessageLine & { before: Message | undefined; on: string }>();

function messageLineOf(message: Message, before: Message | undefined, isFirstNew: boolean): MessageLine {
  const old = lineCache.get(message);
  if (old !== undefined && old.before === before && old.isFirstNew === isFirstNew) return old;
  const on = old?.on ?? dayOf(message.createdAt);
  const opensDay = before === undefined || lineCache.get(before)?.on !== on;
  const follows = !opensDay && !isFirstNew && isSameGroup(before, message);
  const line = { message, before, on, isFirstNew, isFirst: !follows, ...(opensDay && { day: on }) };
  lineCache.set(message, line);
  return line;
}

function isSameGroup(one: Message, next: Message): boolean {
  const apart = Date.parse(next.createdAt) - Date.parse(one.createdAt);
  return one.senderId === next.senderId && one.type !== "system" && apart < groupWindowMs;
}

/**
 * Where what was new to `me` when the page was opened begins: after something they had read, with something that is not their
 * own. `atFirst` is the last `seq` there was then.
 */
export function findFirstNewSeq(
  messages: Message[],
  me: number,
  { readSeq, atFirst }: { readSeq: number; atFirst: number },
): number | undefined {
  if (readSeq < (messages[0]?.seq ?? 0)) return undefined;
  const first = messages.find(
    (message) => message.seq > readSeq && message.senderId !== me && isReadableMessage(message),
  );
  return first && first.seq <= atFirst ? first.seq : undefined;
}

/** How far everybody else has read. */
export function readByOthers(read: Record<number, number>, seats: Seat[], me: number): number {
  return Math.max(0, ...seats.filter(({ id }) => id !== me).map(({ id }) => read[id] ?? 0));
}
