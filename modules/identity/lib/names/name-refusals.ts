import { mixesAlphabets } from "./alphabets.ts";
import { looksLikeLink } from "./link-lookalikes.ts";
import { containsSeal, hidesLetters, isReserved } from "./reserved-names.ts";

/** Why a name is refused, as a text of `validation.*`. */
export type NameRefusal =
  | "validation.characters"
  | "validation.nameSeal"
  | "validation.nameReserved"
  | "validation.nameMixed"
  | "validation.nameLink"
  | "validation.nameLetters";

/** Why nobody may be shown by this name; undefined where they may. */
export function displayNameRefusal(name: string): NameRefusal | undefined {
  if (hidesLetters(name)) return "validation.characters";
  if (containsSeal(name)) return "validation.nameSeal";
  if (isReserved(name)) return "validation.nameReserved";
  if (mixesAlphabets(name)) return "validation.nameMixed";
  if (looksLikeLink(name)) return "validation.nameLink";
  return /[\p{L}\p{N}]/u.test(name) ? undefined : "validation.nameLetters";
}

/** Why nobody but Midman's own may sign in by this name; its characters are looked at elsewhere. */
export function usernameRefusal(name: string): NameRefusal | undefined {
  return isReserved(name) ? "validation.nameReserved" : undefined;
}

/** Why nobody may bear these letters in their avatar; undefined where they may. */
export function initialsRefusal(initials: string): NameRefusal | undefined {
  if (hidesLetters(initials)) return "validation.characters";
  if (containsSeal(initials)) return "validation.nameSeal";
  return isReserved(initials) ? "validation.nameReserved" : undefined;
}

type AccountNames = { username: string; displayName: string; isAdmin: boolean; deletedAt?: Date | null };
/** Why names that were chosen before cannot stay; a field that can is absent. */
export type NameRefusals = { username?: NameRefusal; displayName?: NameRefusal };

/**
 * What is wrong by today's rules with the names of an account; undefined where nothing is. Administrators are Midman's own: the
 * operator named them. Pure in the names and remembered by them, for they are asked about with every list of people.
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
