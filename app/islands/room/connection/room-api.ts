import { createTimeoutSignal } from "../../../enhance/browser/timeout-signal.ts";
import { stretchLength } from "../messages/message-lines.ts";
import type { DeliveryOutcome } from "../outbox/outbox.ts";
import { seatOf } from "../seat.ts";
import type { Message, Seat } from "../types.ts";
import { isMessage, isRefusal, isSeat, keepValid } from "../wire-data.ts";

/** The person who sends to a room, and the room. */
export interface Speaker {
  roomId: number;
  me: number;
}

/** Names the person whose page this is. The server refuses the request if another person has signed in at this browser since. */
export const speakerHeaders = ({ me }: Speaker) => ({ "x-midman-user": String(me) });

/** Page size when catching up on missed messages. */
const catchUpPageSize = 100;

/** A person who missed more messages than this is shown the latest instead. */
const maxMissedMessages = 500;

/**
 * Fetches everything after `seq`, page by page. Resolves to false if more than `maxMissedMessages` are missing. Throws if the network or
 * the server fails.
 */
export async function fetchMessagesAfter(
  roomId: number,
  seq: number,
  take: (messages: Message[]) => void,
): Promise<boolean> {
  for (let after = seq, taken = 0; taken < maxMissedMessages; taken += catchUpPageSize) {
    const { messages, count } = await fetchMessages(roomId, `after=${after}&limit=${catchUpPageSize}`);
    take(messages);
    const last = messages.at(-1);
    if (last === undefined || count < catchUpPageSize) return true;
    after = last.seq;
  }
  return false;
}

/**
 * Fetches the messages right before `seq`, oldest first, beginning at a stretch boundary: at least half a stretch, at most one and a half.
 * Throws if the network or the server fails.
 */
export async function fetchMessagesBefore(roomId: number, seq: number): Promise<Message[]> {
  const begun = seq % stretchLength;
  const limit = begun < stretchLength / 2 ? begun + stretchLength : begun;
  return (await fetchMessages(roomId, `before=${seq}&limit=${limit}`)).messages;
}

/** `count`: how many the server sent, those that this page cannot read included. */
async function fetchMessages(roomId: number, query: string): Promise<{ messages: Message[]; count: number }> {
  const response = await fetch(`/api/chat/rooms/${roomId}/messages?${query}`, {
    signal: createTimeoutSignal(),
  });
  if (!response.ok) throw new Error(String(response.status));
  const list: unknown = await response.json();
  const messages = keepValid(list, isMessage);
  return { messages, count: Array.isArray(list) ? list.length : 0 };
}

/**
 * Maps a response's status (0 if there was none) and body to an outcome. A timeout, throttling, a lost session and a server failure are
 * temporary: the message is sent again later.
 */
export function outcomeOfResponse(
  status: number,
  answer: unknown,
  taken: (message: Message) => void,
): DeliveryOutcome {
  if (status >= 200 && status < 300) {
    // One that cannot be read is on the server all the same: catching up brings it.
    if (isMessage(answer)) taken(answer);
    return { kind: "sent" };
  }
  const { message = "", retryAfterSeconds } = isRefusal(answer) ? answer : {};
  const passing = status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
  return passing ? { kind: "later", seconds: retryAfterSeconds } : { kind: "refused", reason: message };
}

/**
 * Posts to the room while the socket is unavailable. Safe to repeat: the client id in `body` identifies the message. Throws if the network
 * fails.
 */
export async function postToRoom(
  speaker: Speaker,
  what: "messages" | "read",
  body: object,
  taken: (answer: Message) => void = () => {},
): Promise<DeliveryOutcome> {
  const response = await fetch(`/api/chat/rooms/${speaker.roomId}/${what}`, {
    method: "POST",
    signal: createTimeoutSignal(),
    headers: { "content-type": "application/json", ...speakerHeaders(speaker) },
    body: JSON.stringify(body),
  });
  return outcomeOfResponse(response.status, await response.json(), taken);
}

/** The explanation on `/suspended`, as HTML; undefined for a person who is not suspended, or if the request fails. */
export async function fetchSuspension(): Promise<string | undefined> {
  const text = await fetchSuspendedPage().catch(() => undefined);
  if (text === undefined) return undefined;
  return new DOMParser().parseFromString(text, "text/html").getElementById("suspension")?.innerHTML;
}

async function fetchSuspendedPage(): Promise<string | undefined> {
  const response = await fetch("/suspended", { signal: createTimeoutSignal() });
  return response.redirected ? undefined : await response.text();
}

/** Fetches the room's members; undefined if the request fails. */
export async function fetchSeats(roomId: number): Promise<Seat[] | undefined> {
  return fetchParticipants(roomId).catch(() => undefined);
}

async function fetchParticipants(roomId: number): Promise<Seat[] | undefined> {
  const response = await fetch(`/api/chat/rooms/${roomId}/participants`, {
    signal: createTimeoutSignal(),
  });
  return response.ok ? keepValid(await response.json(), isSeat).map(seatOf) : undefined;
}
