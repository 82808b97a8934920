import { isUnavailable } from "#db/client/connection-errors";
import { log } from "#db/log";
import { hasText } from "#locales";
import type { Member } from "#modules/identity";
import { goTo } from "./page-context.ts";

/**
 * Runs a form's action. If it throws because of a bug, logs the error and returns the person to the page with the toast `failed.<form>`. A
 * form without such a text, and an unavailable database, rethrow and get an error page.
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
