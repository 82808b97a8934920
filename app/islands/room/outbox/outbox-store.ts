import { createStore, promisifyRequest } from "idb-keyval";
import type { PendingMessage } from "../types.ts";

/** Storage for unsent messages that outlives the page. Each call rejects if the browser's storage is unavailable. */
export interface OutboxStore {
  /** All entries, unchecked: an earlier version of this script may have written them. */
  all(): Promise<unknown[]>;
  put(entry: PendingMessage): Promise<void>;
  drop(entry: PendingMessage): Promise<void>;
}

/** One person's unsent messages in one room, in this browser; the next person who signs in does not see them. */
export function browserStore(me: number, roomId: number): OutboxStore {
  const within = createStore("midman-outbox", "entries");
  // In IndexedDB an array sorts after every string, so `[]` as the last part of the key is an upper bound.
  const range = () => IDBKeyRange.bound([me, roomId], [me, roomId, []]);
  const keyOf = ({ clientId }: PendingMessage) => [me, roomId, clientId];
  return {
    all: async () => within("readonly", (entries) => promisifyRequest<unknown[]>(entries.getAll(range()))),
    put: async (entry) =>
      within("readwrite", (entries) => {
        entries.put(entry, keyOf(entry));
        return promisifyRequest(entries.transaction);
      }),
    drop: async (entry) =>
      within("readwrite", (entries) => {
        entries.delete(keyOf(entry));
        return promisifyRequest(entries.transaction);
      }),
  };
}
