import { now } from "#db/clock";
import { throttle } from "#db/throttle";
import { type Language, text } from "#locales";
import type { Actor } from "#modules/identity";

/** What a call answers that did what was asked: the specification's `success` and `message`, in the actor's language. */
export function done(
  actor: { language: Language },
  word: string,
  params: Record<string, string | number> = {},
): { success: true; message: string } {
  return { success: true, message: text(actor.language, `escrow.${word}`, params) };
}

/** Writing calls a minute that one person may make here; what moves money is paced by its own verb. */
const pace = { max: 60, seconds: 60 };

/** Refuses THROTTLED to somebody who writes faster than people do; a visitor is left to the verb. */
export async function paced(actor: Actor) {
  return actor.kind === "user"
    ? throttle(`escrow.write:${actor.userId}`, pace, now())
    : ({ ok: true } as const);
}
