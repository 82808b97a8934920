import { createHmac } from "node:crypto";
import { and, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import { parsePhoneNumberFromString } from "libphonenumber-js";
import type { Executor, Tx } from "#db/client";
import { sessionSecret } from "#db/secrets/instance-secrets";
import { bankAccountsInModules } from "../core/identity-guards.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser, type UserRow } from "../core/users/find-users.ts";
import { restrictionOf } from "./restriction-in-force.ts";
import { type IdentifierKind, identifierHashesTable, restrictionsTable } from "./schema.ts";

type IdentifierHash = { kind: IdentifierKind; digest: string };

/** A restricted account that has something in common with another. `username` is null once it is deleted. */
export type LinkedAccount = { userId: number; username: string | null; kinds: IdentifierKind[] };

/**
 * Stores hashes of what a restricted person is reached and paid by, so that administrators see a later account of theirs for what it may
 * be. They are keyed hashes, which tell nothing to who has no key, and block nobody: a telephone is often a family's. The caller holds
 * the user's row.
 */
export async function storeIdentifierHashes(tx: Tx, user: UserRow, at: Date): Promise<void> {
  const rows = (await identifierHashesOf(tx, user)).map((hash) => ({ ...hash, userId: user.id, keptAt: at }));
  if (rows.length > 0) await tx.insert(identifierHashesTable).values(rows).onConflictDoNothing();
}

/**
 * Stores the hashes of what a person is reached and paid by now, where they are restricted. Called with every change of it, and before
 * it is erased: who changes a number and comes back under another name would not be linked otherwise. Holds the person's row.
 */
export async function keepIdentifiersOfRestricted(tx: Tx, userId: number, at: Date): Promise<void> {
  const user = await holdUser(tx, userId);
  if (user !== undefined && restrictionOf(user, at) !== null) await storeIdentifierHashes(tx, user, at);
}

/** Deletes the hashes of somebody whose restriction was lifted. */
export async function deleteIdentifierHashes(tx: Tx, userId: number): Promise<void> {
  await tx.delete(identifierHashesTable).where(eq(identifierHashesTable.userId, userId));
}

/** The restricted accounts, today's and earlier ones, that this person has a telephone, an account or an address in common with. */
export async function linkedAccounts(exec: Executor, user: UserRow): Promise<LinkedAccount[]> {
  const own = await identifierHashesOf(exec, user);
  if (own.length === 0) return [];
  const digests = own.map(({ digest }) => digest);
  const rows = await exec
    .select({
      userId: identifierHashesTable.userId,
      kind: identifierHashesTable.kind,
      username: usersTable.username,
      deletedAt: usersTable.deletedAt,
    })
    .from(identifierHashesTable)
    .innerJoin(usersTable, eq(usersTable.id, identifierHashesTable.userId))
    .where(and(inArray(identifierHashesTable.digest, digests), ne(identifierHashesTable.userId, user.id)))
    .orderBy(identifierHashesTable.userId, identifierHashesTable.kind)
    .limit(50);
  return [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, shared]) => ({
    userId,
    username: shared[0]?.deletedAt === null ? (shared[0]?.username ?? null) : null,
    kinds: [...new Set(shared.map(({ kind }) => kind))],
  }));
}

/** Hashes go two years after the last restriction of their person has ended. */
export async function sweepIdentifierHashes(exec: Executor, before: Date): Promise<void> {
  const lasts = exec
    .select({ one: sql`1` })
    .from(restrictionsTable)
    .where(
      and(
        eq(restrictionsTable.userId, identifierHashesTable.userId),
        or(
          sql`coalesce(${restrictionsTable.endedAt}, ${restrictionsTable.until}) > ${before.toISOString()}::timestamptz`,
          // For good, and nobody has ended it.
          and(sql`${restrictionsTable.confirmedAt} IS NOT NULL`, isNull(restrictionsTable.endedAt)),
        ),
      ),
    );
  await exec.delete(identifierHashesTable).where(sql`NOT EXISTS ${lasts}`);
}

async function identifierHashesOf(exec: Executor, user: UserRow): Promise<IdentifierHash[]> {
  const accounts = [user.bankAccount, ...(await bankAccountsInModules(exec, user.id))];
  const said: Array<{ kind: IdentifierKind; value: string | undefined }> = [
    { kind: "phone", value: phoneKey(user.phoneNumber) },
    { kind: "email", value: emailKey(user.email) },
    ...accounts.map((account) => ({ kind: "bank" as const, value: accountKey(account) })),
  ];
  const hashes = said.flatMap(({ kind, value }) =>
    value === undefined ? [] : [{ kind, digest: hashIdentifier(kind, value) }],
  );
  return [...new Map(hashes.map((hash) => [hash.digest, hash])).values()];
}

function hashIdentifier(kind: IdentifierKind, value: string): string {
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
