import type { usersTable } from "../core/schema.ts";
import { nameRefusals } from "./name-refusals.ts";

/**
 * By which name a mail greets its reader: none until its address is proved, for anybody may have typed it beside a name of their
 * own choosing.
 */
export function greetedName(user: typeof usersTable.$inferSelect): string {
  return user.emailVerifiedAt === null || nameRefusals(user) !== undefined ? "" : user.displayName;
}
