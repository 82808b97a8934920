import { subDays } from "date-fns/subDays";
import { listEntries, TRACE_DAYS } from "#modules/audit";
import type { Origin } from "../core/actor.ts";
import { networkPrefixOf } from "../request/network-prefix.ts";

/** Number of latest sign-ins that are checked. */
const LATEST = 200;

/**
 * Whether a person has signed in from this request's network, or set a new password there with a mailed link, within the 30 days for which
 * the log keeps addresses. Guesses made elsewhere do not lock the owner out there. Does the same work for nobody (0).
 */
export async function isKnownPlace(userId: number, { ip }: Origin, at: Date): Promise<boolean> {
  const lately = { from: subDays(at, TRACE_DAYS), limit: LATEST };
  const pages = await Promise.all([
    listEntries({ ...lately, userId, action: "login" }),
    listEntries({ ...lately, userId, action: "admin_login" }),
    listEntries({ ...lately, action: "password_reset", subject: { kind: "user", id: userId } }),
  ]);
  const here = networkPrefixOf(ip);
  return pages.some(({ entries }) =>
    entries.some((one) => one.ip !== null && networkPrefixOf(one.ip) === here),
  );
}
