import { limits, passwordWords } from "../forms.ts";
import list from "./common-passwords.txt" with { type: "text" };
import { newToken } from "./token.ts";

// OWASP's argon2id for a server that many sign in to at once; Bun computes it off the main thread with p=1.
const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const current = "$argon2id$v=19$m=19456,t=2,p=1$";

const common = new Set(list.split("\n").filter((line) => line !== "" && !line.startsWith("# ")));
// Checked when there is no such user, so that an unknown name takes as long as a known one.
const decoy = hashPassword(newToken());

/** The argon2id hash of a password, salted by itself. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, cost);
}

/** Whether the password fits; without a hash (no such user) the same work is done, and it never fits. */
export async function passwordFits(password: string, hash: string | null | undefined): Promise<boolean> {
  const fits = await Bun.password.verify(password, hash ?? (await decoy));
  return fits && hash != null;
}

/** True for a hash made at another cost than today's: it is made anew at the next login, when the password is at hand. */
export function needsRehash(hash: string): boolean {
  return !hash.startsWith(current);
}

export type BadPassword = "PASSWORD_COMMON" | "PASSWORD_GUESSABLE" | "PASSWORD_SHORT_FOR_ADMIN";

/** Whose password it is to be, by the names that others know. */
export type Named = { username: string; email: string | null };

/**
 * Whether a new password may be used (design §4): not one of the 3,000 commonest, in whatever case, not a mere name, and at
 * least twelve characters for an administrator. Nothing else is asked of it; the minimum of six is the form's.
 */
export function badPassword(password: string, isAdmin: boolean, whose?: Named): BadPassword | undefined {
  if (isAdmin && [...password].length < limits.password.adminMin) return "PASSWORD_SHORT_FOR_ADMIN";
  if (common.has(password.toLowerCase())) return "PASSWORD_COMMON";
  return isMereName(password, whose) ? "PASSWORD_GUESSABLE" : undefined;
}

/** True when its letters are those of our own words or of its owner's names, and no others. */
function isMereName(password: string, whose: Named | undefined): boolean {
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

const told: Record<BadPassword, string> = {
  PASSWORD_COMMON: "validation.passwordCommon",
  PASSWORD_GUESSABLE: "validation.passwordGuessable",
  PASSWORD_SHORT_FOR_ADMIN: "validation.passwordAdmin",
};

/** The refusal of a new password, beside the field that holds it. */
export function refusePassword(code: BadPassword, field: string) {
  return { ok: false as const, code, fields: { [field]: [told[code]] } };
}
