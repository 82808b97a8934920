import { eq } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { secondFactors } from "./schema.ts";
import { resealSecret } from "./totp.ts";

/** Seals by the key of today every secret of an app that an older key had sealed; answers how many. Repeating it changes nothing. */
export async function resealFactors(): Promise<number> {
  const all = await db().select({ userId: secondFactors.userId }).from(secondFactors);
  let done = 0;
  for (const { userId } of all) if (await resealOne(userId)) done += 1;
  return done;
}

/** The row is held: its owner may be setting up another secret at this moment. */
function resealOne(userId: number): Promise<boolean> {
  return transaction(async (tx) => {
    const which = eq(secondFactors.userId, userId);
    const [row] = await tx.select().from(secondFactors).where(which).for("update");
    const secret = row && resealSecret(row.secret, userId);
    if (secret === undefined) return false;
    await tx.update(secondFactors).set({ secret }).where(which);
    return true;
  });
}
