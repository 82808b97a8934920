import { now } from "#db/clock";
import { firstAdmin } from "./first-admin.ts";
import "./push-reader.ts";
import "./sweep.ts";

/** Readies identity: makes the first administrator. Answers a one-time password if one was made, to be shown once. */
export function startIdentity(): Promise<{ oneTimePassword: string | null }> {
  return firstAdmin(now());
}
