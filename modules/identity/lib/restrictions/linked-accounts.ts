import { createHmac } from "node:crypto";
import { and, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import { parsePhoneNumberFromString } from "libphonenumber-js";
import type { Executor, Tx } from "#db/client";
import { sessionSecret } from "#db/secrets/instance-secrets";
import { bankAccountsInModules } from "../core/identity-guards.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser, type UserRow } from "../core/users/find-users.ts";
import type { LinkedAccount } from "./responses.ts";
import { restrictionOf } from "./restriction-in-force.ts";
import { type IdentifierKind, identifierHashesTable, restrictionsTable } from "./schema.ts";

type IdentifierHash = { kind: IdentifierKind; digest: string };

/**
 * Stores hashes of a restricted person's phone number, email and bank accounts, so that administrators can recognise a later account of
 * theirs. Keyed hashes reveal nothing without the key, and they block nobody: a family often shares a phone. The caller has locked the
 * user's row.
 */
export async function storeIdentifierHashes(tx: Tx, user: UserRow, at: Date): Promise<void> {
  const rows = (await identifierHashesOf(tx, user)).map((hash) => ({ ...hash, userId: user.id, keptAt: at }));
  if (rows.length > 0) await tx.insert(identifierHashesTable).values(rows).onConflictDoNothing();
}

/**
 * Stores hashes of a person's current identifiers if they are restricted. Called at every change of them and before they are erased:
 * otherwise a person who changes a number and returns under another name would not be linked. Locks the person's row.
 */
export async function keepIdentifiersOfRestricted(tx: Tx, userId: number, at: Date): Promise<void> {
  const user = await holdUser(tx, userId);
  if (user !== undefined && restrictionOf(user, at) !== null) await storeIdentifierHashes(tx, user, at);
}

/** Deletes the hashes of someone whose restriction was lifted. */
export async function deleteIdentifierHashes(tx: Tx, userId: number): Promise<void> {
  await tx.delete(identifierHashesTable).where(eq(identifierHashesTable.userId, userId));
}

/** Accounts restricted now or earlier that share a phone number, a bank account or an email address with this person. */
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

/** Deletes hashes of people whose last restriction ended before this moment (two years ago). */
export async function sweepIdentifierHashes(exec: Executor, before: Date): Promise<void> {
  const lasts = exec
    .select({ one: sql`1` })
    .from(restrictionsTable)
    .where(
      and(
        eq(restrictionsTable.userId, identifierHashesTable.userId),
        or(
          sql`coalesce(${restrictionsTable.endedAt}, ${restrictionsTable.until}) > ${before.toISOString()}::timestamptz`,
          // Permanent, and not ended.
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

/** One key for every spelling of a phone number. */
export function phoneKey(phone: string | null): string | undefined {
  if (phone === null) return undefined;
  return parsePhoneNumberFromString(phone, "MN")?.number;
}

/** The digits only: an IBAN ends with the account number, which has at most twelve. */
export function accountKey(account: string | null): string | undefined {
  const runs = (account ?? "").replace(/(?<=\d)[\s-](?=\d)/g, "").match(/\d{6,}/g) ?? [];
  const longest = runs.sort((a, b) => b.length - a.length)[0];
  return longest?.slice(-12).replace(/^0+/, "") || undefined;
}

/** The part after a plus sign reaches the same mailbox. */
export function emailKey(email: string | null): string | undefined {
  const [, name, domain] = /^([^@]+?)(?:\+[^@]*)?@(.+)$/.exec(email?.toLowerCase() ?? "") ?? [];
  return name && domain ? `${name}@${domain}` : undefined;
}
