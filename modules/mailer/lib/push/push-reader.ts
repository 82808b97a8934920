import type { Executor } from "#db/client";
import type { Language } from "#locales";
import type { PushEvent } from "./push-events.ts";

/** How a user is notified: in which language, and with or without sound and vibration. */
export type PushReader = { language: Language; withSound: boolean };
/** Finds how a user is notified of an event; undefined if the user is deleted or does not want it. */
export type FindPushReader = (
  exec: Executor,
  userId: number,
  event: PushEvent,
  at: Date,
) => Promise<PushReader | undefined>;

let findReader: FindPushReader | undefined;

/** Registers the finder; the identity module does so, because it knows users. Returns a function that puts the former one back (for tests). */
export function registerPushReader(finder: FindPushReader): () => void {
  const former = findReader;
  findReader = finder;
  return () => {
    findReader = former;
  };
}

/** How a user is notified of an event at a time. */
export function pushReaderOf(...asked: Parameters<FindPushReader>): ReturnType<FindPushReader> {
  if (findReader === undefined) throw new Error("mailer: nobody says who reads pushes");
  return findReader(...asked);
}
