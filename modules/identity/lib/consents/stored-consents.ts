import { eq, type SQL, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { consentsTable, usersTable } from "../core/schema.ts";
import { type ConsentDocument, consentDocuments, consentVersions } from "./forms.ts";

/** Records that a person agreed to the version in force of these documents; what is recorded already stays. */
export async function recordConsents(
  tx: Tx,
  userId: number,
  documents: readonly ConsentDocument[],
  at: Date,
): Promise<void> {
  if (documents.length === 0) return;
  const rows = documents.map((document) => ({
    userId,
    document,
    version: consentVersions[document],
    consentedAt: at,
  }));
  await tx.insert(consentsTable).values(rows).onConflictDoNothing();
}

/** The newest version of each document that a person agreed to; null for one they never agreed to. */
export async function agreedVersions(
  exec: Executor,
  userId: number,
): Promise<Record<ConsentDocument, string | null>> {
  const { document, version } = consentsTable;
  const rows = await exec
    .select({ document, version })
    .from(consentsTable)
    .where(eq(consentsTable.userId, userId));
  const newest = (of: ConsentDocument) =>
    rows
      .filter((row) => row.document === of)
      .map((row) => row.version)
      .toSorted()
      .at(-1) ?? null;
  return { terms: newest("terms"), privacy: newest("privacy") };
}

/** The documents whose version in force is newer than the one that was agreed to. Versions are dates, so they compare as texts. */
export function outdatedDocuments(agreed: Record<ConsentDocument, string | null>): ConsentDocument[] {
  return consentDocuments.filter((document) => (agreed[document] ?? "") < consentVersions[document]);
}

/** The same as a condition on `identity.users`: true if a document in force is newer than what the user agreed to. */
export const mustAgreeCondition: SQL<boolean> = sql<boolean>`NOT (${sql.join(
  consentDocuments.map(
    (document) => sql`EXISTS (
      SELECT 1 FROM ${consentsTable} WHERE ${consentsTable.userId} = ${usersTable.id}
        AND ${consentsTable.document} = ${document} AND ${consentsTable.version} >= ${consentVersions[document]})`,
  ),
  sql` AND `,
)})`;
