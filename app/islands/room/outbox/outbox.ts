import { oneAtATime } from "../one-at-a-time.ts";
import type { PendingMessage, WrittenMessage } from "../types.ts";
import type { OutboxStore } from "./outbox-store.ts";

/** What became of a try: stored by the server, refused for a reason, or not known, to be tried again (after so long). */
export type DeliveryOutcome =
  | { kind: "sent" }
  | { kind: "refused"; reason: string }
  | { kind: "later"; seconds?: number };

export interface OutboxParts {
  store: OutboxStore;
  /** One try. Throwing counts as `later`. */
  deliver(entry: PendingMessage): Promise<DeliveryOutcome>;
  /** An entry is new, or something about it is. */
  show(entry: PendingMessage): void;
  /** The server's message of this client id is here already. */
  isKnown(clientId: string): boolean;
  /** Runs `work` while no other tab of this person does the same in this room. */
  alone(work: () => Promise<void>): Promise<void>;
  /** What an entry says that is too old to be sent unasked. */
  outdated: string;
  now(): number;
}

/** So many may wait in one room. */
export const maxWaitingEntries = 200;
/** An agreement moves on: what was written longer ago is sent only if the person still wants it. */
export const maxUnaskedAgeMs = 2 * 24 * 60 * 60 * 1_000;

const firstRetryMs = 2_000;
const maxRetryMs = 30_000;
/** A store that does not answer within this is as good as none. */
const storeTimeoutMs = 1_000;

/**
 * Keeps what was written until the server has acknowledged it: over reloads, lost connections and closed tabs. Sends one
 * after the other in the order they were written, of all tabs together, and tries again by itself. The same client id at
 * every try makes one message of however many. Where the browser stores nothing, this page alone knows the entries.
 */
export function openOutbox(parts: OutboxParts) {
  const kept = openEntries(parts);
  let pause = firstRetryMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let last = 0;

  const settle = async (entry: PendingMessage, outcome: DeliveryOutcome): Promise<boolean> => {
    // Discarded, or its echo heard, meanwhile.
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
    /** Tries at once: the connection is back, or the page has just begun. */
    flush: () => {
      clearTimeout(timer);
      return flush();
    },
    /** Undefined when too much waits already; else ends once the entry is stored, or never will be. */
    add(written: WrittenMessage): Promise<void> | undefined {
      if (kept.size() >= maxWaitingEntries) return undefined;
      last = Math.max(parts.now(), last + 1);
      const stored = kept.keep({ ...written, clientId: crypto.randomUUID(), at: last });
      void stored.then(flush);
      return stored;
    },
    /** Sends what was refused once more. */
    async retry({ failed: _, ...entry }: PendingMessage) {
      await kept.keep(entry);
      await flush();
    },
    /** Ends the wait of an entry: the person discards it, or its message has been seen. */
    forget: kept.forget,
    /** True while something would be lost with this page. */
    atRisk: kept.atRisk,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** What waits, in this page and in the store; what one forgets, the other does not bring back. */
function openEntries({ store, now, ...parts }: OutboxParts) {
  const entries = new Map<string, PendingMessage>();
  const unsaved = new Set<string>();
  /** What this page is done with: a look into the store that began before must not bring it back. */
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
  /** Takes over what another tab or an earlier page left behind. */
  const adopt = async () => {
    for (const entry of await withStoreTimeout(store.all()).catch(() => [])) {
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

/** Rejects where a browser keeps one waiting for ever, as some do in private windows. */
function withStoreTimeout<T>(work: Promise<T>): Promise<T> {
  const over = new Promise<never>((_, reject) => setTimeout(reject, storeTimeoutMs));
  return Promise.race([work, over]);
}

const ignoreFailure = () => {};
