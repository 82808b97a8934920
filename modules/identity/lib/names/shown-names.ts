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
 * By which names others see somebody: neutral ones until names that are not allowed any more were replaced. Letters of an
 * avatar that are not give way to those of the name.
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
  // "#" is in no username, so that nobody can take it.
  return { username: `user#${id}`, displayName: neutral, avatarInitials: "–" };
}
