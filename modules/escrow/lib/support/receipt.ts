import { eq } from "drizzle-orm";
import { db } from "#db/client";
import type { Actor } from "#modules/identity";
import { supportRequestsTable } from "./schema.ts";

/** What the page says after a request was sent. */
export type SupportReceipt = { number: string; email: string };

/**
 * The receipt that `askSupport` gave, for who asked: a signed-in person sees their own alone, a visitor's opens with its
 * unguessable word. Undefined when there is none.
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
