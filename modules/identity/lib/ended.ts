import { publish, subscribe } from "#db/bus";
import { afterCommit, type Tx } from "#db/client";

const TOPIC = "sessions";

/** Whose sessions ended: one session, or every session of a user. */
export type SessionsEnded = { userId: number; sessionId?: number };

/** Tells every instance, after the commit, that these sessions are over, so that their sockets are cut. */
export function announceEnded(tx: Tx, ended: SessionsEnded): void {
  afterCommit(tx, () => publish(TOPIC, JSON.stringify(ended)));
}

/**
 * Calls `handler` whenever sessions end on any instance. A hint: a lost one is made good by the session being read
 * from Postgres at the next request or frame. Returns what stops it.
 */
export function onSessionsEnded(handler: (ended: SessionsEnded) => void): () => void {
  return subscribe(TOPIC, (message) => {
    const ended = parse(message);
    if (ended !== undefined) handler(ended);
  });
}

function parse(message: string): SessionsEnded | undefined {
  try {
    const { userId, sessionId } = JSON.parse(message) as Partial<SessionsEnded>;
    if (typeof userId !== "number") return undefined;
    return typeof sessionId === "number" ? { userId, sessionId } : { userId };
  } catch {
    return undefined;
  }
}
