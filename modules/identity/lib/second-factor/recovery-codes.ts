import { createHash } from "node:crypto";
import { and, count, eq } from "drizzle-orm";
import { Secret } from "otpauth";
import type { Executor, Tx } from "#db/client";
import { loginTicketsTable, recoveryCodesTable, secondFactorsTable } from "../core/schema.ts";

const recoveryCodeCount = 10;

/**
 * Gives a user ten fresh recovery codes, each of 120 random bits as six groups of four letters (base32), and voids the
 * ones before. They exist in the answer and nowhere else. The caller holds the user's row.
 */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await tx.delete(recoveryCodesTable).where(eq(recoveryCodesTable.userId, userId));
  const fresh = Array.from({ length: recoveryCodeCount }, () => new Secret({ size: 15 }).base32);
  await tx
    .insert(recoveryCodesTable)
    .values(fresh.map((code) => ({ userId, codeHash: hashOf(userId, code) })));
  return fresh.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}

/** Uses a code up; false when there is no such code (any more). */
export async function takeRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const used = await tx
    .delete(recoveryCodesTable)
    .where(and(eq(recoveryCodesTable.userId, userId), eq(recoveryCodesTable.codeHash, hashOf(userId, code))))
    .returning({ userId: recoveryCodesTable.userId });
  return used.length > 0;
}

/** How many codes a user has left. */
export async function recoveryCodesLeft(exec: Executor, userId: number): Promise<number> {
  const [row] = await exec
    .select({ left: count() })
    .from(recoveryCodesTable)
    .where(eq(recoveryCodesTable.userId, userId));
  return row?.left ?? 0;
}

/** Removes the secret and every recovery code of a user, and the logins that wait for one. The caller holds the user's row. */
export async function forgetFactor(tx: Tx, userId: number): Promise<void> {
  await tx.delete(recoveryCodesTable).where(eq(recoveryCodesTable.userId, userId));
  await tx.delete(secondFactorsTable).where(eq(secondFactorsTable.userId, userId));
  await tx.delete(loginTicketsTable).where(eq(loginTicketsTable.userId, userId));
}

// 120 random bits cannot be guessed from a plain digest; the id keeps two people's rows from being compared.
function hashOf(userId: number, code: string): string {
  return createHash("sha256").update(`${userId}:${code}`).digest("hex");
}
