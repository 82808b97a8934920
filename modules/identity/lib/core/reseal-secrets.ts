import { eq } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { allResealed, type Resealing } from "#db/sealed";
import { resealSecret } from "../second-factor/totp.ts";
import { secondFactors, users } from "./schema.ts";

/**
 * Seals by the key of today every secret of an authenticator app that an older key had sealed. One that no key at hand opens is named and
 * left as it is. Repeating it changes nothing.
 */
export async function resealFactors(): Promise<Resealing> {
  const all = await db()
    .select({ userId: secondFactors.userId, username: users.username })
    .from(secondFactors)
    .innerJoin(users, eq(users.id, secondFactors.userId))
    .orderBy(secondFactors.userId);
  const results: Resealing[] = [];
  for (const { userId, username } of all)
    results.push(await resealOne(userId, `the second factor of user ${userId} (${username})`));
  return allResealed(results);
}

/** The row is held: its owner may be setting up another secret at this moment. */
function resealOne(userId: number, name: string): Promise<Resealing> {
  return transaction(async (tx) => {
    const which = eq(secondFactors.userId, userId);
    const [row] = await tx.select().from(secondFactors).where(which).for("update");
    if (row === undefined) return { done: 0, shut: [] };
    return resealSecret({ sealed: row.secret, userId, name }, (secret) =>
      tx.update(secondFactors).set({ secret }).where(which),
    );
  });
}
