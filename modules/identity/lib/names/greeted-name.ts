import type { usersTable } from "../core/schema.ts";
import { nameRefusals } from "./name-refusals.ts";

/**
 * The name with which a mail greets its reader: "" until the email address is verified, since anyone may have entered it with a name of
 * their choice.
 */
export function greetedName(user: typeof usersTable.$inferSelect): string {
  return user.emailVerifiedAt === null || nameRefusals(user) !== undefined ? "" : user.displayName;
}
