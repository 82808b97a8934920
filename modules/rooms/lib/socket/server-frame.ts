import { unpackMessage } from "#format";
import { hasText, type Language, translateText } from "#locales";
import type { PresenceChange } from "./presence.ts";

/** The room's last `seq`, from which a client sees that it has missed messages, and the server's time. */
export function heartbeatFrame(lastSeq: number, now: Date): string {
  return JSON.stringify({ type: "heartbeat", seq: lastSeq, time: now.toISOString() });
}

/** A person's current presence. */
export function userStatusFrame({ userId, status }: PresenceChange, now: Date): string {
  return JSON.stringify({ type: "user_status", userId, status, timestamp: now.toISOString() });
}

/** A message was stored: the reply to a `chat` frame. */
export function acknowledgementFrame(message: { clientId: string | null; seq: number; id: number }): string {
  const { clientId, seq, id } = message;
  return JSON.stringify({ type: "ack", clientId, seq, id });
}

/** The fields of a refused operation or frame. */
export type FrameRefusal = { code: string; fields?: Record<string, string[]>; retryAfterSeconds?: number };

/** A refused frame with its reason, in its sender's language. */
export function refusalFrame(
  refusal: FrameRefusal,
  clientId: string | undefined,
  language: Language,
): string {
  const { code, fields, retryAfterSeconds } = refusal;
  const [wrong] = Object.values(fields ?? {}).flat();
  const field = unpackMessage(wrong ?? "");
  const key = hasText(field.key) ? field.key : `errors.${code}`;
  const message = translateText(language, key, { ...field.params, seconds: retryAfterSeconds ?? 0 });
  return JSON.stringify({ type: "refused", clientId, code, message, retryAfterSeconds });
}
