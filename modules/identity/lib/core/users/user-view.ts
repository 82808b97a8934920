import type { Language } from "#locales";
import { nameRefusals } from "../../names/name-refusals.ts";
import type { usersTable } from "../schema.ts";

/** A user as that user and administrators see them, and as the API returns them. */
export type UserView = {
  id: number;
  username: string;
  displayName: string;
  email: string;
  avatarInitials: string;
  phoneNumber: string | null;
  bankAccount: string | null;
  isAdmin: boolean;
  createdAt: string;
  language: Language;
  emailVerified: boolean;
  mustChangePassword: boolean;
  /** Whether another name must be chosen before anything else. */
  mustChooseName: boolean;
  /** Whether a login needs a code too. */
  secondFactor: boolean;
};

/** The view of a user's row. */
export function userViewOf(user: typeof usersTable.$inferSelect): UserView {
  return {
    id: user.id,
    username: user.username,
    displayName: user.displayName,
    email: user.email ?? "",
    avatarInitials: user.avatarInitials,
    phoneNumber: user.phoneNumber,
    bankAccount: user.bankAccount,
    isAdmin: user.isAdmin,
    createdAt: user.createdAt.toISOString(),
    language: user.language,
    emailVerified: user.emailVerifiedAt !== null,
    mustChangePassword: user.mustChangePassword,
    mustChooseName: nameRefusals(user) !== undefined,
    secondFactor: user.secondFactorAt !== null,
  };
}
