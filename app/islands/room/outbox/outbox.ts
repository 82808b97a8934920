import { oneAtATime } from "../one-at-a-time.ts";
import type { PendingMessage, WrittenMessage } from "../types.ts";
import { isPendingMessage, keepValid } from "../wire-data.ts";
import type { OutboxStore } from "./outbox-store.ts";

/** The result of an attempt: stored by the server, refused for a reason, or unknown and to be tried again (after `seconds`). */
export type DeliveryOutcome =
  | { kind: "sent" }
  | { kind: "refused"; reason: string }
  | { kind: "later"; seconds?: number };

export interface OutboxParts {
  store: OutboxStore;
  /** One attempt. Throwing counts as `later`. */
  deliver(entry: PendingMessage): Promise<DeliveryOutcome>;
  /** Called when an entry is added or changes. */
  show(entry: PendingMessage): void;
  /** Whether the server's message with this client id has arrived already. */
  isKnown(clientId: string): boolean;
  /** Runs `work` while no other tab of this person runs it for this room. */
  alone(work: () => Promise<void>): Promise<void>;
  /** The text shown with an entry that is too old to be sent without asking. */
  outdated: string;
  now(): number;
}

/** The most entries that may wait in one room. */
export const maxWaitingEntries = 200;
/** An agreement may have changed since: a message older than this is sent only if the person confirms it. */
export const maxUnaskedAgeMs = 2 * 24 * 60 * 60 * 1_000;

const firstRetryMs = 2_000;
const maxRetryMs = 30_000;
/** A store that does not respond within this time counts as unavailable, in ms. */
const storeTimeoutMs = 1_000;

/**
 * Keeps messages until the server has acknowledged them, across reloads, lost connections and closed tabs. Sends them one at a time in the
 * order they were written, across all tabs, and retries by itself. Every attempt carries the same client id, so the server stores one
 * message. If the browser's storage is unavailable, only this page holds the entries.
 */
export function openOutbox(parts: OutboxParts) {
  const kept = openEntries(parts);
  let pause = firstRetryMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let last = 0;

  const settle = async (entry: PendingMessage, outcome: DeliveryOutcome): Promise<boolean> => {
    // Discarded, or its echo received, in the meantime.
    if (!kept.has(entry)) return true;
    if (outcome.kind === "later") {
      clearTimeout(timer);
      timer = setTimeout(() => void flush(), outcome.seconds ? outcome.seconds * 1_000 : pause);
      pause = Math.min(pause * 2, maxRetryMs);
      return false;
    }
    pause = firstRetryMs;
    if (outcome.kind === "sent") await kept.forget(entry.clientId);
    else await kept.keep({ ...entry, failed: outcome.reason });
    return true;
  };
  const drain = async () => {
    for (let going = true; going && !closed; ) {
      await kept.adopt();
      const next = kept.next();
      going =
        next !== undefined &&
        (await settle(next, await parts.deliver(next).catch(() => ({ kind: "later" }))));
    }
  };
  const flush = oneAtATime(() => parts.alone(drain));

  return {
    /** Sends at once: the connection is back, or the page has just loaded. */
    flush: () => {
      clearTimeout(timer);
      return flush();
    },
    /**
     * Returns undefined if too many entries wait already; otherwise a promise that resolves once the entry is stored or storing has failed.
     */
    add(written: WrittenMessage): Promise<void> | undefined {
      if (kept.size() >= maxWaitingEntries) return undefined;
      last = Math.max(parts.now(), last + 1);
      const stored = kept.keep({ ...written, clientId: crypto.randomUUID(), at: last });
      void stored.then(flush);
      return stored;
    },
    /** Sends a refused message again. */
    async retry({ failed: _, ...entry }: PendingMessage) {
      await kept.keep(entry);
      await flush();
    },
    /** Removes an entry: the person discards it, or its message has arrived. */
    forget: kept.forget,
    /** True while unsent messages would be lost with this page. */
    atRisk: kept.atRisk,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** The waiting entries, in this page and in the store. */
function openEntries({ store, now, ...parts }: OutboxParts) {
  const entries = new Map<string, PendingMessage>();
  const unsaved = new Set<string>();
  /** Entries that this page has removed: a read of the store that began earlier must not bring them back. */
  const gone = new Set<string>();

  const keep = async (entry: PendingMessage) => {
    gone.delete(entry.clientId);
    entries.set(entry.clientId, entry);
    unsaved.add(entry.clientId);
    parts.show(entry);
    await withStoreTimeout(store.put(entry)).then(() => unsaved.delete(entry.clientId), ignoreFailure);
  };
  const forget = async (clientId: string) => {
    const entry = entries.get(clientId);
    entries.delete(clientId);
    unsaved.delete(clientId);
    if (entry === undefined) return;
    gone.add(clientId);
    await withStoreTimeout(store.drop(entry)).catch(ignoreFailure);
  };
  /** Takes over entries that another tab or an earlier page left behind. */
  const adopt = async () => {
    const stored = await withStoreTimeout(store.all()).catch(() => []);
    for (const entry of keepValid(stored, isPendingMessage)) {
      if (entries.has(entry.clientId) || gone.has(entry.clientId)) continue;
      entries.set(entry.clientId, entry);
      const old = entry.failed === undefined && now() - entry.at > maxUnaskedAgeMs;
      if (old) await keep({ ...entry, failed: parts.outdated });
      else parts.show(entry);
    }
    for (const clientId of entries.keys()) if (parts.isKnown(clientId)) await forget(clientId);
  };
  const next = () =>
    [...entries.values()].filter(({ failed }) => failed === undefined).sort((a, b) => a.at - b.at)[0];
  return {
    keep,
    forget,
    adopt,
    next,
    has: ({ clientId }: PendingMessage) => entries.has(clientId),
    size: () => entries.size,
    atRisk: () => unsaved.size > 0,
  };
}

/** Rejects after `storeTimeoutMs`: some browsers never respond in private windows. */
function withStoreTimeout<T>(work: Promise<T>): Promise<T> {
  const over = new Promise<never>((_, reject) => setTimeout(reject, storeTimeoutMs));
  return Promise.race([work, over]);
}

const ignoreFailure = () => {};
