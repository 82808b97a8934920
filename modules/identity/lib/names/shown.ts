import { type Language, text } from "#locales";
import { nameRefusals } from "./refusals.ts";

type Named = {
  id: number;
  username: string;
  displayName: string;
  avatarInitials: string;
  isAdmin: boolean;
  language: Language;
  deletedAt: Date | null;
};

/** By which names others see somebody: neutral ones until names that are not allowed any more were replaced. */
export function shownNames(user: Named): Pick<Named, "username" | "displayName" | "avatarInitials"> {
  const { id, username, displayName, avatarInitials, language } = user;
  if (nameRefusals(user) === undefined) return { username, displayName, avatarInitials };
  const neutral = text(language, "names.neutral", { id });
  // "#" is in no username, so that nobody can take it.
  return { username: `user#${id}`, displayName: neutral, avatarInitials: "–" };
}
