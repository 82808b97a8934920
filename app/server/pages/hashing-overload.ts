import { HashingOverloadError } from "#modules/identity";

type OverloadRefusal = { ok: false; code: "OVERLOADED"; retryAfterSeconds: number };

/**
 * Does what a form with a password asks for. Where no turn to hash it came in time, the refusal is answered as a verb's own would be, so
 * that the page shows the form again with what was typed.
 */
export async function runOrRefuseBusy<T>(run: () => Promise<T>): Promise<T | OverloadRefusal> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof HashingOverloadError)) throw error;
    return { ok: false, code: "OVERLOADED", retryAfterSeconds: error.retryAfterSeconds };
  }
}
