import { createHash } from "node:crypto";
import { forgive, type Throttled, throttle } from "#db/throttle";

export type { Throttled };

const minute = 60;
const hour = 60 * minute;

// Whole neighbourhoods share one mobile address: what is counted by address alone is generous. An account is counted
// by address too, and tightly, so that a stranger cannot lock its owner out with a handful of guesses; what all addresses have
// used up together refuses nobody where the owner has signed in before (`knownPlace`). Addresses count as `neighbourhood`.
const limits = {
  "login:account-ip": { max: 10, seconds: 15 * minute },
  "login:account": { max: 60, seconds: 15 * minute },
  "login:ip": { max: 150, seconds: 15 * minute },
  "register:ip": { max: 40, seconds: hour },
  "register:email": { max: 10, seconds: hour },
  "forgot:ip": { max: 40, seconds: hour },
  "forgot:email": { max: 5, seconds: hour },
  "password:user": { max: 10, seconds: 15 * minute },
  "name:user": { max: 20, seconds: hour },
  "verification:user": { max: 5, seconds: hour },
  // A guess of the six digits is right three times in a million: at the pace of both, once in some two hundred days.
  "factor:user-ip": { max: 6, seconds: 15 * minute },
  "factor:user": { max: 30, seconds: hour },
  // Nobody guesses a signature: these bound what checking and beginning cost.
  "passkey-begin:ip": { max: 300, seconds: 15 * minute },
  "passkey:ip": { max: 150, seconds: 15 * minute },
  "passkey-begin:user": { max: 60, seconds: hour },
  "passkey:user": { max: 60, seconds: hour },
  "push:user": { max: 30, seconds: hour },
  "telling:user": { max: 60, seconds: hour },
  "push-test:user": { max: 10, seconds: hour },
  "mail-test:user": { max: 20, seconds: hour },
  "data:user": { max: 3, seconds: 24 * hour },
} as const;

export type Attempts = Partial<Record<keyof typeof limits, string>>;

/** Counts one attempt under each given name and refuses when any is used up. */
export async function mayTry(attempts: Attempts, now: Date): Promise<{ ok: true } | Throttled> {
  for (const [name, what] of named(attempts)) {
    const passed = await throttle(keyOf(name, what), limits[name], now);
    if (!passed.ok) return passed;
  }
  return { ok: true };
}

/** A right password clears the wrong ones before it. */
export async function forgiveTries(attempts: Attempts): Promise<void> {
  for (const [name, what] of named(attempts)) await forgive(keyOf(name, what));
}

/** What is counted is kept as a digest: neither names nor addresses lie in the throttle's table. */
function keyOf(name: string, what: string): string {
  return `identity:${name}:${createHash("sha256").update(what).digest("base64url")}`;
}

function named(attempts: Attempts) {
  return Object.entries(attempts) as Array<[keyof typeof limits, string]>;
}
