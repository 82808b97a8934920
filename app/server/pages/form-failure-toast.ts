import { isUnavailable } from "#db/client/connection-errors";
import { log } from "#db/log";
import { hasText } from "#locales";
import type { Member } from "#modules/identity";
import { goTo } from "./page-context.ts";

/**
 * Does what a form asks for. A fault of ours goes to the log, and its person goes back to where they were, told what did not
 * happen in the words of specification §8 (`failed.<form>`); a form without such words, and a database that cannot be
 * reached, are told by a page.
 */
export async function runOrToastFailure<T>(
  { form, at, member }: { form: string; at: string; member: Member },
  run: () => Promise<T>,
): Promise<T | Response> {
  try {
    return await run();
  } catch (error) {
    const key = `failed.${form}`;
    if (error instanceof Response || isUnavailable(error) || !/^[\w-]+$/.test(form) || !hasText(key))
      throw error;
    log().error({ err: error, path: at, form, requestId: member.requestId }, "form failed");
    return goTo(at, { kind: "error", key });
  }
}
