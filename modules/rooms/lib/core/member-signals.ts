import { publishHint, subscribeToHints } from "#db/bus";
import { afterCommit, type Tx } from "#db/client";

const memberTopic = (userId: number) => `member:${userId}`;

/** Says, once `tx` has committed, that a person has one room more than before: what listens to their rooms reads again which they are. */
export function sendRoomAdded(tx: Tx, userId: number): void {
  afterCommit(tx, () => publishHint(memberTopic(userId), ""));
}

/** Subscribes to a person's new rooms. Returns a function that unsubscribes. */
export function onRoomAdded(userId: number, handler: () => void): () => void {
  return subscribeToHints(memberTopic(userId), handler);
}
