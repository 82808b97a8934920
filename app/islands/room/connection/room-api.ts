import { stretchLength } from "../messages/message-lines.ts";
import type { DeliveryOutcome } from "../outbox/outbox.ts";
import { seatOf } from "../seat.ts";
import type { Message, Seat } from "../types.ts";

/** A link may swallow a request without a word; after this long it counts as failed. */
const createTimeoutSignal = () => AbortSignal.timeout(15_000);

/** Who says something, and where. */
export interface Speaker {
  roomId: number;
  me: number;
}

/** Whose page this is: the server takes nothing in it for the words of whoever has signed in at this browser since. */
export const speakerHeaders = ({ me }: Speaker) => ({ "x-midman-user": String(me) });

/** How many messages are asked for at once when catching up. */
const catchUpPageSize = 100;

/** Whoever missed more than this is shown the latest instead. */
const maxMissedMessages = 500;

/**
 * Everything after `seq`, page by page until nothing is left; false when there is too much of it. Throws when the network or
 * the server fails.
 */
export async function fetchMessagesAfter(
  roomId: number,
  seq: number,
  take: (messages: Message[]) => void,
): Promise<boolean> {
  for (let after = seq, taken = 0; taken < maxMissedMessages; taken += catchUpPageSize) {
    const messages = await fetchMessages(roomId, `after=${after}&limit=${catchUpPageSize}`);
    take(messages);
    const last = messages.at(-1);
    if (last === undefined || messages.length < catchUpPageSize) return true;
    after = last.seq;
  }
  return false;
}

/**
 * The messages right before `seq`, oldest first, from the border of a stretch on: at least half of one, at most one and a
 * half. Throws when the network or the server fails.
 */
export function fetchMessagesBefore(roomId: number, seq: number): Promise<Message[]> {
  const begun = seq % stretchLength;
  const limit = begun < stretchLength / 2 ? begun + stretchLength : begun;
  return fetchMessages(roomId, `before=${seq}&limit=${limit}`);
}

async function fetchMessages(roomId: number, query: string): Promise<Message[]> {
  const response = await fetch(`/api/chat/rooms/${roomId}/messages?${query}`, {
    signal: createTimeoutSignal(),
  });
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()) as Message[];
}

/**
 * What became of a try, by the status and body of its answer; 0 where none came. Asked too early or too often, signed out
 * meanwhile, or the server's own trouble: none of it is the message's fault.
 */
export function outcomeOfResponse(
  status: number,
  answer: unknown,
  taken: (message: Message) => void,
): DeliveryOutcome {
  if (status >= 200 && status < 300) {
    taken(answer as Message);
    return { kind: "sent" };
  }
  const { message = "", retryAfterSeconds } = (answer ?? {}) as {
    message?: string;
    retryAfterSeconds?: number;
  };
  const passing = status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
  return passing ? { kind: "later", seconds: retryAfterSeconds } : { kind: "refused", reason: message };
}

/**
 * Posts to the room, when the socket is away. Safe to repeat: the client id in `body` makes it the same message. Throws when
 * the network fails.
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

/** Who sits in the room now; undefined when it cannot be asked. */
export async function fetchSeats(roomId: number): Promise<Seat[] | undefined> {
  return fetchParticipants(roomId).catch(() => undefined);
}

async function fetchParticipants(roomId: number): Promise<Seat[] | undefined> {
  const response = await fetch(`/api/chat/rooms/${roomId}/participants`);
  return response.ok ? ((await response.json()) as Seat[]).map(seatOf) : undefined;
}
