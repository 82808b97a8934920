import { z } from "zod";
import { parseHint, publishHint, subscribeToHints } from "#db/bus";
import { afterCommit, type Tx } from "#db/client";

const TOPIC = "sessions";

const endedSessionSchema = z.object({ userId: z.int(), sessionId: z.int() });

/** A session that has ended, and its user. */
export type EndedSession = z.infer<typeof endedSessionSchema>;

/** Notifies every instance, after the commit, that a session has ended, so that they close its sockets. */
export function announceRevokedSessions(tx: Tx, ended: EndedSession): void {
  afterCommit(tx, () => publishHint(TOPIC, JSON.stringify(ended)));
}

/**
 * Calls `handler` whenever sessions end on any instance. A hint that gets lost does no harm, since the session is read from Postgres at the
 * next request or frame. Returns a function that unsubscribes.
 */
export function onSessionsEnded(handler: (ended: EndedSession) => void): () => void {
  return subscribeToHints(TOPIC, (message) => {
    const ended = parseHint(TOPIC, message, endedSessionSchema);
    if (ended !== undefined) handler(ended);
  });
}
