import { now } from "#db/clock";
import { log } from "#db/log";
import { completeErasures } from "./erasures/journal.ts";
import { firstAdmin } from "./first-admin.ts";
import "./push-reader.ts";
import "./sweep.ts";

/** Readies identity: makes the first administrator. Answers a one-time password if one was made, to be shown once. */
export async function startIdentity(): Promise<{ oneTimePassword: string | null }> {
  // A full disk closes nobody's door: the next start completes it.
  await completeErasures().catch((error) =>
    log().error({ err: error }, "the journal of erasures could not be completed"),
  );
  return firstAdmin(now());
}
