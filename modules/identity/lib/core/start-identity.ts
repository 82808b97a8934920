import { currentTime } from "#db/clock";
import { log } from "#db/log";
import { completeErasureJournal } from "../erasures/erasure-journal.ts";
import { ensureFirstAdmin } from "../login/first-admin.ts";
import "../notifications/push-reader.ts";
import "../restrictions/suspensions/expiry-notices.ts";
import "./sweep-expired.ts";

/**
 * Prepares the module: completes the erasure journal and creates the first administrator. Returns a new one-time password, to be shown
 * once, or null.
 */
export async function startIdentity(): Promise<{ oneTimePassword: string | null }> {
  // A full disk must not stop the start; the next one completes the journal.
  await completeErasureJournal().catch((error) =>
    log().error({ err: error }, "the journal of erasures could not be completed"),
  );
  return ensureFirstAdmin(currentTime());
}
