import { createHash } from "node:crypto";
import { and, count, eq } from "drizzle-orm";
import { Secret } from "otpauth";
import type { Executor, Tx } from "#db/client";
import { loginTicketsTable, recoveryCodesTable, secondFactorsTable } from "../core/schema.ts";

const recoveryCodeCount = 10;

/**
 * Creates ten recovery codes for a user, each of 120 random bits in six groups of four characters (base32), and voids the earlier ones. The
 * plain codes exist only in the return value. The caller has locked the user's row.
 */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await tx.delete(recoveryCodesTable).where(eq(recoveryCodesTable.userId, userId));
  const fresh = Array.from({ length: recoveryCodeCount }, () => new Secret({ size: 15 }).base32);
  await tx
    .insert(recoveryCodesTable)
    .values(fresh.map((code) => ({ userId, codeHash: hashOf(userId, code) })));
  return fresh.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}

/** Uses a code up; false if there is no such code, or no longer. */
export async function takeRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const used = await tx
    .delete(recoveryCodesTable)
    .where(and(eq(recoveryCodesTable.userId, userId), eq(recoveryCodesTable.codeHash, hashOf(userId, code))))
    .returning({ userId: recoveryCodesTable.userId });
  return used.length > 0;
}

/** Number of unused recovery codes. */
export async function recoveryCodesLeft(exec: Executor, userId: number): Promise<number> {
  const [row] = await exec
    .select({ left: count() })
    .from(recoveryCodesTable)
    .where(eq(recoveryCodesTable.userId, userId));
  return row?.left ?? 0;
}

/** Removes a user's secret, recovery codes, and logins that wait for a code. The caller has locked the user's row. */
export async function forgetFactor(tx: Tx, userId: number): Promise<void> {
  await tx.delete(recoveryCodesTable).where(eq(recoveryCodesTable.userId, userId));
  await tx.delete(secondFactorsTable).where(eq(secondFactorsTable.userId, userId));
  await tx.delete(loginTicketsTable).where(eq(loginTicketsTable.userId, userId));
}

// 120 random bits cannot be guessed from a plain digest; the user id prevents comparing rows of different people.
function hashOf(userId: number, code: string): string {
  return createHash("sha256").update(`${userId}:${code}`).digest("hex");
}
