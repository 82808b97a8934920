import { HashingOverloadError } from "#modules/identity";

type OverloadRefusal = { ok: false; code: "OVERLOADED"; retryAfterSeconds: number };

/**
 * Runs the action of a form with a password. If hashing gets no turn in time, returns the refusal OVERLOADED like a verb's own, so that the
 * page shows the form again with its input.
 */
export async function runOrRefuseBusy<T>(run: () => Promise<T>): Promise<T | OverloadRefusal> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof HashingOverloadError)) throw error;
    return { ok: false, code: "OVERLOADED", retryAfterSeconds: error.retryAfterSeconds };
  }
}
