import { nameRefusals } from "../../names/name-refusals.ts";
import type { UserView } from "../responses.ts";
import type { usersTable } from "../schema.ts";

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
