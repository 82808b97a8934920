import { type Language, text } from "#locales";

/** What a call answers that did what was asked: the specification's `success` and `message`, in the actor's language. */
export function done(
  actor: { language: Language },
  word: string,
  params: Record<string, string | number> = {},
): { success: true; message: string } {
  return { success: true, message: text(actor.language, `escrow.${word}`, params) };
}
