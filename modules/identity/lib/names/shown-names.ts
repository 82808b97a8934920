import { type Language, translateText } from "#locales";
import { avatarInitials as derivedInitials } from "../../forms.ts";
import { initialsRefusal, nameRefusals } from "./name-refusals.ts";

type NamedUser = {
  id: number;
  username: string;
  displayName: string;
  avatarInitials: string;
  isAdmin: boolean;
  language: Language;
  deletedAt: Date | null;
};

/**
 * Names as others see them: neutral ones until names that are no longer allowed are replaced. Avatar letters that are not allowed are
 * replaced by the name's.
 */
export function shownNames(user: NamedUser): Pick<NamedUser, "username" | "displayName" | "avatarInitials"> {
  const { id, username, displayName, avatarInitials, language } = user;
  if (nameRefusals(user) === undefined) {
    const mayStay = initialsRefusal(avatarInitials) === undefined;
    return {
      username,
      displayName,
      avatarInitials: mayStay ? avatarInitials : derivedInitials(null, displayName),
    };
  }
  const neutral = translateText(language, "names.neutral", { id });
  // No username may contain "#", so nobody can take it.
  return { username: `user#${id}`, displayName: neutral, avatarInitials: "–" };
}
