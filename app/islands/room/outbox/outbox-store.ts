import { createStore, promisifyRequest } from "idb-keyval";
import type { PendingMessage } from "../types.ts";

/** Where what waits to be sent outlives the page. Each call rejects where the browser keeps nothing. */
export interface OutboxStore {
  all(): Promise<PendingMessage[]>;
  put(entry: PendingMessage): Promise<void>;
  drop(entry: PendingMessage): Promise<void>;
}

/** What one person has not sent in one room, in this browser: nobody who signs in after them is shown it. */
export function browserStore(me: number, roomId: number): OutboxStore {
  const within = createStore("midman-outbox", "entries");
  // A key's last part is greater than every text when it is a list.
  const range = () => IDBKeyRange.bound([me, roomId], [me, roomId, []]);
  const keyOf = ({ clientId }: PendingMessage) => [me, roomId, clientId];
  return {
    all: async () =>
      within("readonly", (entries) => promisifyRequest<PendingMessage[]>(entries.getAll(range()))),
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
