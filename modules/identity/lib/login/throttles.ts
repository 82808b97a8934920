import { createHash } from "node:crypto";
import { resetThrottle, type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";

export type { ThrottleRefusal };

const minuteSeconds = 60;
const hourSeconds = 60 * minuteSeconds;

// Whole neighbourhoods share one mobile IP address, so limits by address alone are generous. An account also has a tight limit for each
// address, so that a stranger cannot lock its owner out with a handful of guesses; its limit over all addresses does not refuse the owner
// where they have signed in before (`isKnownPlace`). Addresses count as `networkPrefixOf` groups them.
const attemptLimits = {
  "login:account-ip": { max: 10, seconds: 15 * minuteSeconds },
  "login:account": { max: 60, seconds: 15 * minuteSeconds },
  "login:ip": { max: 150, seconds: 15 * minuteSeconds },
  "register:ip": { max: 40, seconds: hourSeconds },
  "register:email": { max: 10, seconds: hourSeconds },
  "forgot:ip": { max: 40, seconds: hourSeconds },
  "forgot:email": { max: 5, seconds: hourSeconds },
  "password:user": { max: 10, seconds: 15 * minuteSeconds },
  "name:user": { max: 20, seconds: hourSeconds },
  "verification:user": { max: 5, seconds: hourSeconds },
  // A guess of the six digits is right three times in a million: at the pace of both limits, once in about two hundred days.
  "factor:user-ip": { max: 6, seconds: 15 * minuteSeconds },
  "factor:user": { max: 30, seconds: hourSeconds },
  // Nobody can guess a signature: these limit the cost of verifying and of creating challenges.
  "passkey-begin:ip": { max: 300, seconds: 15 * minuteSeconds },
  "passkey:ip": { max: 150, seconds: 15 * minuteSeconds },
  "passkey-begin:user": { max: 60, seconds: hourSeconds },
  "passkey:user": { max: 60, seconds: hourSeconds },
  "push:user": { max: 30, seconds: hourSeconds },
  "telling:user": { max: 60, seconds: hourSeconds },
  "push-test:user": { max: 10, seconds: hourSeconds },
  "mail-test:user": { max: 20, seconds: hourSeconds },
  "data:user": { max: 3, seconds: 24 * hourSeconds },
} as const;

export type Attempts = Partial<Record<keyof typeof attemptLimits, string>>;

/** Counts one attempt under each given name and refuses when any limit is used up. */
export async function mayTry(attempts: Attempts, now: Date): Promise<{ ok: true } | ThrottleRefusal> {
  for (const [name, what] of attemptEntries(attempts)) {
    const passed = await takeThrottledAttempt(throttleKeyOf(name, what), attemptLimits[name], now);
    if (!passed.ok) return passed;
  }
  return { ok: true };
}

/** Clears the failed attempts before a correct password. */
export async function forgiveTries(attempts: Attempts): Promise<void> {
  for (const [name, what] of attemptEntries(attempts)) await resetThrottle(throttleKeyOf(name, what));
}

/** Keys are digests, so that the throttle table holds neither names nor IP addresses. */
function throttleKeyOf(name: string, what: string): string {
  return `identity:${name}:${createHash("sha256").update(what).digest("base64url")}`;
}

function attemptEntries(attempts: Attempts) {
  return Object.entries(attempts) as Array<[keyof typeof attemptLimits, string]>;
}
