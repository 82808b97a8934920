import { formatDay } from "#format";
import type { Message, Seat } from "../types.ts";
import { isOwnAct } from "./own-acts.ts";

/** Consecutive messages of one sender less than this apart are grouped under one name. */
const groupWindowMs = 5 * 60_000;

/** A message with its position in the conversation. */
export interface MessageLine {
  message: Message;
  /** The day, `yyyy-MM-dd`, if the message is the first of that day. */
  day?: string;
  /** Whether it is the first message that was new when the page was opened. */
  isFirstNew: boolean;
  /** Whether it is the first of a group and shows the sender's name. */
  isFirst: boolean;
}

/** Messages per part, counted by `seq`. A part of the conversation is rendered again only if something in it changes. */
const partLength = 5;

/** The number of the part that a message belongs to. */
export const partOf = (seq: number) => Math.floor(seq / partLength);

/**
 * Messages per stretch, counted by `seq`, in whole parts. A stretch is loaded as one, and the browser skips it as one while it is far away.
 */
export const stretchLength = 10 * partLength;

/** The number of the stretch that a message belongs to. */
export const stretchOf = (seq: number) => Math.floor(seq / stretchLength);

/** The `seq` of a line; 0 without one. */
export const seqOf = (line: MessageLine | undefined) => line?.message.seq ?? 0;

/** Payment messages carry data for programs and are not shown. */
export function isReadableMessage({ type }: Message): boolean {
  return type !== "payment" && type !== "payment_qr";
}

/** The readable messages as lines, in parts whose boundaries stay the same as the conversation grows. */
export function messageLinesOf(messages: Message[], firstNew: number | undefined): MessageLine[][] {
  const shown = messages.filter(isReadableMessage);
  const lines = shown.map((message, at) => messageLineOf(message, shown[at - 1], message.seq === firstNew));
  return groupConsecutive(lines, (line) => partOf(seqOf(line)));
}

/** Groups the parts of a conversation into stretches. */
export function stretchesOf(parts: MessageLine[][]): MessageLine[][][] {
  return groupConsecutive(parts, (part) => stretchOf(seqOf(part[0])));
}

/** Splits a list wherever the next element has another key. */
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

/**
 * The lines are computed again with every change of the conversation. The cache keeps a line the same object while its neighbour is the
 * same.
 */
const lineCache = new WeakMap<Message, MessageLine & { before: Message | undefined; on: string }>();

function messageLineOf(message: Message, before: Message | undefined, isFirstNew: boolean): MessageLine {
  const old = lineCache.get(message);
  if (old !== undefined && old.before === before && old.isFirstNew === isFirstNew) return old;
  const on = old?.on ?? formatDay(message.createdAt);
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
 * Finds the `seq` at which messages new to their reader begin, as of when the page was opened: after a message they had read, with a message
 * of another person or a notice of what somebody else did. `atFirst` is the last `seq` at that time.
 */
export function findFirstNewSeq(
  messages: Message[],
  reader: Pick<Seat, "id" | "role">,
  { readSeq, atFirst }: { readSeq: number; atFirst: number },
): number | undefined {
  if (readSeq < (messages[0]?.seq ?? 0)) return undefined;
  const first = messages.find(
    (message) => message.seq > readSeq && !isOwnAct(message, reader) && isReadableMessage(message),
  );
  return first && first.seq <= atFirst ? first.seq : undefined;
}

/** The highest `seq` that any other member has read. */
export function readByOthers(read: Record<number, number>, seats: Seat[], me: number): number {
  return Math.max(0, ...seats.filter(({ id }) => id !== me).map(({ id }) => read[id] ?? 0));
}
