import { publishHint, subscribeToHints } from "#db/bus";
import { afterCommit, type Tx } from "#db/client";

const memberTopic = (userId: number) => `member:${userId}`;

/** Publishes, after `tx` has committed, that a person joined or created a room; their open lists then read their rooms again. */
export function sendRoomAdded(tx: Tx, userId: number): void {
  afterCommit(tx, () => publishHint(memberTopic(userId), ""));
}

/** Subscribes to a person's new rooms. Returns a function that unsubscribes. */
export function onRoomAdded(userId: number, handler: () => void): () => void {
  return subscribeToHints(memberTopic(userId), handler);
}
