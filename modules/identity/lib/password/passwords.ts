import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { OverloadError } from "#db/client/transaction-turns";
import { createCounter, createDurationHistogram, registerScrapedGauge } from "#db/metrics";
import { accountFieldLimits, passwordWords } from "../../forms.ts";
import { countCharacters } from "../core/form-fields.ts";
import list from "./common-passwords.txt" with { type: "text" };
import { type HashingPlace, HashingQueue, type HashingRank } from "./hashing-queue.ts";

// OWASP's argon2id parameters for a server with many simultaneous sign-ins; Bun computes it off the main thread with p=1.
const hashCost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const currentHashPrefix = "$argon2id$v=19$m=19456,t=2,p=1$";

const commonPasswords = new Set(list.split("\n").filter((line) => line !== "" && !line.startsWith("# ")));
// Verified when the user does not exist, so that an unknown name takes as long as a known one. A salt and a digest at random: making it
// hashes nothing, and no password fits it.
const decoyHash = `${currentHashPrefix}${randomBase64(32)}$${randomBase64(32)}`;

/** Random bytes as a hash writes them: base64 without padding. */
function randomBase64(bytes: number): string {
  return randomBytes(bytes).toString("base64").replaceAll("=", "");
}

/** No turn to hash a password came in time: nothing was started, and the request may be repeated after `retryAfterSeconds`. */
export class HashingOverloadError extends OverloadError {
  constructor() {
    super("a password could not be hashed in time");
  }
}

const refusalCounter = createCounter({
  name: "password_hashes_refused_total",
  help: "Passwords refused before hashing because too many were waiting, by the caller's rank and the reason",
  labels: ["rank", "reason"],
});
const waitDurations = createDurationHistogram({
  name: "password_hash_wait_seconds",
  help: "How long passwords waited to be hashed",
  labels: ["rank"],
});

// One processor is left to the event loop and to other work on the thread pool: compressing responses, reading files.
const parallelHashes = Math.max(1, availableParallelism() - 1);
// About 1.5 s of work; the wait is longer for slow processors.
const hashingQueue = new HashingQueue(
  { atOnce: parallelHashes, waiting: 50 * parallelHashes, longestWaitMs: 5_000 },
  (rank: HashingRank, reason) => {
    refusalCounter.inc({ rank, reason });
    return new HashingOverloadError();
  },
);

registerScrapedGauge(
  {
    name: "password_hashes_waiting",
    help: "Passwords that wait to be hashed, by the caller's rank",
    labels: ["rank"],
    keepSeconds: 0,
  },
  async () =>
    (["known", "unknown"] as const).map((rank) => ({ labels: { rank }, value: hashingQueue.waiting(rank) })),
);

/** The operator at the console, and the start of the process, do not wait. */
type Hasher = HashingPlace | "operator";

async function runInQueue<T>(hasher: Hasher, work: () => Promise<T>): Promise<T> {
  if (hasher === "operator") return work();
  const from = performance.now();
  return hashingQueue.run(hasher, () => {
    waitDurations.observe({ rank: hasher.rank }, (performance.now() - from) / 1_000);
    return work();
  });
}

/** Throws HashingOverloadError if a password from this place would be refused at once; call it before attempts are counted. */
export function checkHashing(place: HashingPlace): void {
  hashingQueue.check(place);
}

/** The argon2id hash of a password, with its own salt. Throws HashingOverloadError if no turn comes in time. */
export function hashPassword(password: string, hasher: Hasher): Promise<string> {
  return runInQueue(hasher, () => Bun.password.hash(password, hashCost));
}

/**
 * Whether the password is correct. Without a hash (no such user) it does the same work after the same wait and returns false. Throws
 * HashingOverloadError if no turn comes in time.
 */
export async function isPasswordCorrect(
  password: string,
  hash: string | null | undefined,
  hasher: Hasher,
): Promise<boolean> {
  const against = hash ?? decoyHash;
  const fits = await runInQueue(hasher, () => Bun.password.verify(password, against));
  return fits && hash != null;
}

/** True for a hash made at another cost than the current one; the next login replaces it, when the password is known. */
export function needsRehash(hash: string): boolean {
  return !hash.startsWith(currentHashPrefix);
}

export type BadPassword = "PASSWORD_COMMON" | "PASSWORD_GUESSABLE" | "PASSWORD_SHORT_FOR_ADMIN";

/** The owner's names that other people know. */
export type PasswordOwner = { username: string; email: string | null };

/** What may be wrong with the new password of a person who is no administrator. */
export type WeakPassword = Exclude<BadPassword, "PASSWORD_SHORT_FOR_ADMIN">;

/**
 * The refusal of a new password that is shorter than its owner's must be, with the message that names the right length; undefined if it is
 * long enough.
 */
export function refuseShortPassword(
  newPassword: string,
  isAdmin: boolean,
):
  | { ok: false; code: "VALIDATION" | "PASSWORD_SHORT_FOR_ADMIN"; fields: Record<string, string[]> }
  | undefined {
  const { min, adminMin } = accountFieldLimits.password;
  const length = countCharacters(newPassword);
  if (isAdmin)
    return length < adminMin ? refusePassword("PASSWORD_SHORT_FOR_ADMIN", "newPassword") : undefined;
  return length < min
    ? { ok: false, code: "VALIDATION", fields: { newPassword: ["validation.password"] } }
    : undefined;
}

/**
 * Checks a new password: not one of the 3,000 most common, in any case; not just a name; at least twelve characters for an administrator.
 * There are no other rules; `refuseShortPassword` checks the minimum of six. Returns the reason for refusal, or undefined.
 */
export function findPasswordProblem(
  password: string,
  isAdmin: boolean,
  whose?: PasswordOwner,
): BadPassword | undefined {
  if (isAdmin && [...password].length < accountFieldLimits.password.adminMin)
    return "PASSWORD_SHORT_FOR_ADMIN";
  return findWeakness(password, whose);
}

/** Checks the new password of a person who is no administrator, like `findPasswordProblem`. */
export function findWeakness(password: string, whose?: PasswordOwner): WeakPassword | undefined {
  if (commonPasswords.has(password.toLowerCase())) return "PASSWORD_COMMON";
  return isMereName(password, whose) ? "PASSWORD_GUESSABLE" : undefined;
}

/** True if its letters consist only of Midman's words or the owner's names. */
function isMereName(password: string, whose: PasswordOwner | undefined): boolean {
  const own = [whose?.username, whose?.email?.split("@")[0]].map((name) => lettersOf(name ?? ""));
  const names = [...passwordWords, ...own].filter((name) => name.length >= 3);
  const letters = lettersOf(password);
  const rest = names
    .sort((a, b) => b.length - a.length)
    .reduce((left, name) => left.replaceAll(name, ""), letters);
  return letters !== "" && rest === "";
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");
}

const badPasswordMessages: Record<BadPassword, string> = {
  PASSWORD_COMMON: "validation.passwordCommon",
  PASSWORD_GUESSABLE: "validation.passwordGuessable",
  PASSWORD_SHORT_FOR_ADMIN: "validation.passwordAdmin",
};

/** The refusal of a new password, with its message at the field that holds it. */
export function refusePassword<Problem extends BadPassword>(code: Problem, field: string) {
  return { ok: false as const, code, fields: { [field]: [badPasswordMessages[code]] } };
}
