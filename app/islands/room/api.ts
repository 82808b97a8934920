import type { Message, Seat } from "./types.ts";

/** A link may swallow a request without a word; after this long it counts as failed. */
const patience = () => AbortSignal.timeout(15_000);

/** Everything after `seq`, page by page until nothing is left. Throws when the network or the server fails. */
export async function fetchAfter(
  roomId: number,
  seq: number,
  take: (messages: Message[]) => void,
): Promise<void> {
  for (let after = seq; ; ) {
    const response = await fetch(`/api/chat/rooms/${roomId}/messages?after=${after}&limit=100`, {
      signal: patience(),
    });
    if (!response.ok) throw new Error(String(response.status));
    const messages = (await response.json()) as Message[];
    take(messages);
    const last = messages.at(-1);
    if (last === undefined || messages.length < 100) return;
    after = last.seq;
  }
}

/** Sends by HTTP, when the socket is away. Safe to repeat: the client id makes it the same message. */
export async function postMessage(
  roomId: number,
  clientId: string,
  content: string,
): Promise<{ ok: true; message: Message } | { ok: false; reason: string }> {
  const response = await fetch(`/api/chat/rooms/${roomId}/messages`, {
    method: "POST",
    signal: patience(),
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ content, type: "text", clientId }),
  });
  const body = (await response.json()) as Message & { message?: string };
  return response.ok ? { ok: true, message: body } : { ok: false, reason: body.message ?? "" };
}

/** Who sits in the room now, as this reader may see them; undefined when it cannot be asked. */
export async function fetchSeats(roomId: number): Promise<Seat[] | undefined> {
  const response = await fetch(`/api/chat/rooms/${roomId}/participants`).catch(() => undefined);
  return response?.ok ? ((await response.json()) as Seat[]) : undefined;
}
