import { eq } from "drizzle-orm";
import { db } from "#db/client";
import type { Actor } from "#modules/identity";
import { supportRequestsTable } from "./schema.ts";

/** What the page shows after a request was sent. */
export type SupportReceipt = { number: string; email: string };

/**
 * The receipt that `askSupport` returned. A signed-in user can open only their own; a visitor's opens with the unguessable `receipt`.
 * Undefined if there is none.
 */
export async function supportReceipt(actor: Actor, receipt: string): Promise<SupportReceipt | undefined> {
  if (!/^[A-Za-z0-9_-]{43}$/.test(receipt)) return undefined;
  const [row] = await db()
    .select()
    .from(supportRequestsTable)
    .where(eq(supportRequestsTable.fingerprint, receipt));
  if (row === undefined) return undefined;
  if (row.email !== null) return { number: row.number, email: row.email };
  return actor.kind === "user" && actor.userId === row.userId
    ? { number: row.number, email: actor.email }
    : undefined;
}
