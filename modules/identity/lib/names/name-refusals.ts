import { hasUnusualLetters, mixesAlphabets } from "./alphabets.ts";
import { looksLikeLink } from "./link-lookalikes.ts";
import { readsLikeNotice } from "./misleading-names.ts";
import { containsSeal, hidesLetters, isReserved } from "./reserved-names.ts";

/** Why a name is refused, as a translation key. */
export type NameRefusal =
  | "validation.characters"
  | "validation.nameSeal"
  | "validation.nameReserved"
  | "validation.nameMixed"
  | "validation.nameNotice"
  | "validation.nameLink"
  | "validation.nameLetters";

/**
 * Why a person may not choose a display name; undefined if they may. Stricter than `displayNameRefusal`: an account keeps a name that reads
 * like a notice or has unusual letters.
 */
export function chosenNameRefusal(name: string): NameRefusal | undefined {
  const refusal = displayNameRefusal(name);
  if (refusal !== undefined) return refusal;
  if (readsLikeNotice(name)) return "validation.nameNotice";
  return hasUnusualLetters(name) ? "validation.characters" : undefined;
}

/** Why a display name is refused to everyone, also to an account that has it; undefined if it is allowed. */
export function displayNameRefusal(name: string): NameRefusal | undefined {
  if (hidesLetters(name)) return "validation.characters";
  if (containsSeal(name)) return "validation.nameSeal";
  if (isReserved(name)) return "validation.nameReserved";
  if (mixesAlphabets(name)) return "validation.nameMixed";
  if (looksLikeLink(name)) return "validation.nameLink";
  return /[\p{L}\p{N}]/u.test(name) ? undefined : "validation.nameLetters";
}

/** Why a username is refused to everyone but Midman's staff. Its characters are checked elsewhere. */
export function usernameRefusal(name: string): NameRefusal | undefined {
  return isReserved(name) ? "validation.nameReserved" : undefined;
}

/** Why the letters of an avatar are refused; undefined if they are allowed. */
export function initialsRefusal(initials: string): NameRefusal | undefined {
  if (hidesLetters(initials)) return "validation.characters";
  if (containsSeal(initials)) return "validation.nameSeal";
  return isReserved(initials) ? "validation.nameReserved" : undefined;
}

type AccountNames = { username: string; displayName: string; isAdmin: boolean; deletedAt?: Date | null };
/** Why existing names are no longer allowed; an allowed field is absent. */
export type NameRefusals = { username?: NameRefusal; displayName?: NameRefusal };

/**
 * What today's rules refuse in an account's names; undefined if nothing. Administrators are exempt: the operator chose their names. Depends
 * on the names alone and is cached by them, since every list of people calls it.
 */
export function nameRefusals({
  username,
  displayName,
  isAdmin,
  deletedAt,
}: AccountNames): NameRefusals | undefined {
  if (isAdmin || deletedAt) return undefined;
  const bad = {
    username: rememberRefusal("@", username, usernameRefusal),
    displayName: rememberRefusal("", displayName, displayNameRefusal),
  };
  if (bad.username === undefined && bad.displayName === undefined) return undefined;
  return {
    ...(bad.username && { username: bad.username }),
    ...(bad.displayName && { displayName: bad.displayName }),
  };
}

const rememberedRefusals = new Map<string, NameRefusal | undefined>();
const maxRememberedRefusals = 10_000;

function rememberRefusal(
  kind: "@" | "",
  name: string,
  refusal: (name: string) => NameRefusal | undefined,
): NameRefusal | undefined {
  const key = kind + name;
  if (rememberedRefusals.has(key)) return rememberedRefusals.get(key);
  const found = refusal(name);
  if (rememberedRefusals.size >= maxRememberedRefusals) rememberedRefusals.clear();
  rememberedRefusals.set(key, found);
  return found;
}
