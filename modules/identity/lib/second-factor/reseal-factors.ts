import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { mergeResealOutcomes, type ResealOutcome } from "#db/secrets/sealed-secrets";
import { secondFactorsTable, usersTable } from "../core/schema.ts";
import { resealSecret } from "./totp.ts";

/**
 * Re-encrypts, with the current key, every authenticator secret that an older key encrypted. A secret that no available key opens is
 * reported by name and left unchanged. Repeating it changes nothing.
 */
export async function resealFactors(): Promise<ResealOutcome> {
  const all = await db()
    .select({ userId: secondFactorsTable.userId, username: usersTable.username })
    .from(secondFactorsTable)
    .innerJoin(usersTable, eq(usersTable.id, secondFactorsTable.userId))
    .orderBy(secondFactorsTable.userId);
  const results: ResealOutcome[] = [];
  for (const { userId, username } of all)
    results.push(await resealOne(userId, `the second factor of user ${userId} (${username})`));
  return mergeResealOutcomes(results);
}

/** Locks the row: its owner may be setting up another secret at this moment. */
function resealOne(userId: number, name: string): Promise<ResealOutcome> {
  return runInTransaction(async (tx) => {
    const which = eq(secondFactorsTable.userId, userId);
    const [row] = await tx.select().from(secondFactorsTable).where(which).for("update");
    if (row === undefined) return { done: 0, unopened: [] };
    return resealSecret({ sealed: row.secret, userId, name }, (secret) =>
      tx.update(secondFactorsTable).set({ secret }).where(which),
    );
  });
}
