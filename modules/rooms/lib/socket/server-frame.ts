import { hasText, type Language, translateText } from "#locales";
import type { PresenceChange } from "./presence.ts";

/** The room's last `seq`: whoever has less has missed something. With the server's time, for clocks. */
export function heartbeatFrame(lastSeq: number, now: Date): string {
  return JSON.stringify({ type: "heartbeat", seq: lastSeq, time: now.toISOString() });
}

/** What somebody's presence is now. */
export function userStatusFrame({ userId, status }: PresenceChange, now: Date): string {
  return JSON.stringify({ type: "user_status", userId, status, timestamp: now.toISOString() });
}

/** A message is stored: the answer to a `chat` frame. */
export function acknowledgementFrame(message: { clientId: string | null; seq: number; id: number }): string {
  const { clientId, seq, id } = message;
  return JSON.stringify({ type: "ack", clientId, seq, id });
}

/** What a refused verb or frame says of itself. */
export type FrameRefusal = { code: string; fields?: Record<string, string[]>; retryAfterSeconds?: number };

/** A frame is refused, and why, in its sender's language. */
export function refusalFrame(
  refusal: FrameRefusal,
  clientId: string | undefined,
  language: Language,
): string {
  const { code, fields, retryAfterSeconds } = refusal;
  const [wrong] = Object.values(fields ?? {}).flat();
  const key = wrong !== undefined && hasText(wrong) ? wrong : `errors.${code}`;
  const message = translateText(language, key, { seconds: retryAfterSeconds ?? 0 });
  return JSON.stringify({ type: "refused", clientId, code, message, retryAfterSeconds });
}
