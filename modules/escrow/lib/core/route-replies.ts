import { parseJson } from "#db/input-limits";
import { type Language, translateText } from "#locales";

/** The reply of a successful call: `success` and `message`, in the actor's language. */
export function replySuccess(
  actor: { language: Language },
  word: string,
  params: Record<string, string | number> = {},
): { success: true; message: string } {
  return { success: true, message: translateText(actor.language, `escrow.${word}`, params) };
}

/** Parses a body that a call may leave out; an empty one counts as `{}`. */
export async function parseOptionalBody({ request }: { request: Request }): Promise<unknown> {
  const body = await request.text();
  return body === "" ? {} : parseJson(body);
}
