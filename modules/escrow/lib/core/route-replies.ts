import { parseJson } from "#db/input-limits";
import { type Language, translateText } from "#locales";

/** What a call answers that did what was asked: the specification's `success` and `message`, in the actor's language. */
export function replySuccess(
  actor: { language: Language },
  word: string,
  params: Record<string, string | number> = {},
): { success: true; message: string } {
  return { success: true, message: translateText(actor.language, `escrow.${word}`, params) };
}

/** Reads a body that may go with a call and need not: none at all is an empty one. */
export async function parseOptionalBody({ request }: { request: Request }): Promise<unknown> {
  const body = await request.text();
  return body === "" ? {} : parseJson(body);
}
