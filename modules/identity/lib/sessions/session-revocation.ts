import { publish, subscribe } from "#db/bus";
import { afterCommit, type Tx } from "#db/client";

const TOPIC = "sessions";

/** A session that is over, and whose it was. */
export type SessionsEnded = { userId: number; sessionId: number };

/** Tells every instance, after the commit, that a session is over, so that its sockets are cut. */
export function announceRevokedSessions(tx: Tx, ended: SessionsEnded): void {
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
    if (typeof userId !== "number" || typeof sessionId !== "number") return undefined;
    return { userId, sessionId };
  } catch {
    return undefined;
  }
}
