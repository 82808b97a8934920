import type { Executor } from "#db/client";
import type { Language } from "#locales";
import type { PushEvent } from "./push-events.ts";

/** How a person is told: in which language, and whether aloud or without sound or shaking. */
export type PushReader = { language: Language; aloud: boolean };
/** Who reads: undefined for somebody who is gone or does not want this told. */
export type FindPushReader = (
  exec: Executor,
  userId: number,
  event: PushEvent,
  at: Date,
) => Promise<PushReader | undefined>;

let findReader: FindPushReader | undefined;

/** The module that knows people says how each is told. Returns what takes it away again (tests). */
export function registerPushReader(finder: FindPushReader): () => void {
  findReader = finder;
  return () => {
    if (findReader === finder) findReader = undefined;
  };
}

/** How a person is told of an event at a moment. */
export function pushReaderOf(...asked: Parameters<FindPushReader>): ReturnType<FindPushReader> {
  if (findReader === undefined) throw new Error("mailer: nobody says who reads pushes");
  return findReader(...asked);
}
