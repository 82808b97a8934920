import { createHmac } from "node:crypto";
import { and, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import { parsePhoneNumberFromString } from "libphonenumber-js";
import type { Executor, Tx } from "#db/client";
import { sessionSecret } from "#db/secrets";
import { bankAccountsAbove } from "../guards.ts";
import { users } from "../schema.ts";
import type { UserRow } from "../users.ts";
import { restrictionSigns, restrictions, type SignKind } from "./schema.ts";

type Sign = { kind: SignKind; digest: string };

/** A restricted account that has something in common with another. `name` is null once it is deleted. */
export type SameSign = { userId: number; username: string | null; kinds: SignKind[] };

/**
 * Keeps signs of what a restricted person is reached and paid by, so that administrators see a later account of theirs for what it may
 * be. They are keyed hashes, which tell nothing to who has no key, and block nobody: a telephone is often a family's. The caller holds
 * the user's row.
 */
export async function keepSigns(tx: Tx, user: UserRow, at: Date): Promise<void> {
  const rows = (await signsOf(tx, user)).map((sign) => ({ ...sign, userId: user.id, keptAt: at }));
  if (rows.length > 0) await tx.insert(restrictionSigns).values(rows).onConflictDoNothing();
}

/** Forgets the signs of somebody whose restriction was lifted. */
export async function forgetSigns(tx: Tx, userId: number): Promise<void> {
  await tx.delete(restrictionSigns).where(eq(restrictionSigns.userId, userId));
}

/** The restricted accounts, today's and earlier ones, that this person has a telephone, an account or an address in common with. */
export async function sameSigns(exec: Executor, user: UserRow): Promise<SameSign[]> {
  const own = await signsOf(exec, user);
  if (own.length === 0) return [];
  const digests = own.map(({ digest }) => digest);
  const rows = await exec
    .select({
      userId: restrictionSigns.userId,
      kind: restrictionSigns.kind,
      username: users.username,
      deletedAt: users.deletedAt,
    })
    .from(restrictionSigns)
    .innerJoin(users, eq(users.id, restrictionSigns.userId))
    .where(and(inArray(restrictionSigns.digest, digests), ne(restrictionSigns.userId, user.id)))
    .orderBy(restrictionSigns.userId, restrictionSigns.kind)
    .limit(50);
  return [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, shared]) => ({
    userId,
    username: shared[0]?.deletedAt === null ? (shared[0]?.username ?? null) : null,
    kinds: [...new Set(shared.map(({ kind }) => kind))],
  }));
}

/** Signs go two years after the last restriction of their person has ended. */
export async function sweepSigns(exec: Executor, before: Date): Promise<void> {
  const lasts = exec
    .select({ one: sql`1` })
    .from(restrictions)
    .where(
      and(
        eq(restrictions.userId, restrictionSigns.userId),
        or(
          sql`coalesce(${restrictions.endedAt}, ${restrictions.until}) > ${before.toISOString()}::timestamptz`,
          // For good, and nobody has ended it.
          and(sql`${restrictions.confirmedAt} IS NOT NULL`, isNull(restrictions.endedAt)),
        ),
      ),
    );
  await exec.delete(restrictionSigns).where(sql`NOT EXISTS ${lasts}`);
}

async function signsOf(exec: Executor, user: UserRow): Promise<Sign[]> {
  const accounts = [user.bankAccount, ...(await bankAccountsAbove(exec, user.id))];
  const said: Array<{ kind: SignKind; value: string | undefined }> = [
    { kind: "phone", value: phoneKey(user.phoneNumber) },
    { kind: "email", value: emailKey(user.email) },
    ...accounts.map((account) => ({ kind: "bank" as const, value: accountKey(account) })),
  ];
  const signs = said.flatMap(({ kind, value }) =>
    value === undefined ? [] : [{ kind, digest: keyed(kind, value) }],
  );
  return [...new Map(signs.map((sign) => [sign.digest, sign])).values()];
}

function keyed(kind: SignKind, value: string): string {
  return createHmac("sha256", sessionSecret()).update(`restriction-sign:${kind}:${value}`).digest("hex");
}

/** One number is one, however it is spelt. */
export function phoneKey(phone: string | null): string | undefined {
  if (phone === null) return undefined;
  return parsePhoneNumberFromString(phone, "MN")?.number;
}

/** The digits alone: an IBAN ends in the account's own number, which has at most twelve. */
export function accountKey(account: string | null): string | undefined {
  const runs = (account ?? "").replace(/(?<=\d)[\s-](?=\d)/g, "").match(/\d{6,}/g) ?? [];
  const longest = runs.sort((a, b) => b.length - a.length)[0];
  return longest?.slice(-12).replace(/^0+/, "") || undefined;
}

/** What stands after a plus sign reaches the same mailbox. */
export function emailKey(email: string | null): string | undefined {
  const [, name, domain] = /^([^@]+?)(?:\+[^@]*)?@(.+)$/.exec(email?.toLowerCase() ?? "") ?? [];
  return name && domain ? `${name}@${domain}` : undefined;
}
