import { desc, eq, sql } from "drizzle-orm";
import { isTrial } from "#config";
import { db, type Tx } from "#db/client";
import type { KeptMail } from "../core/responses.ts";
import { mailboxTable } from "../core/schema.ts";
import type { RenderedMail } from "../templates/render-mail.ts";
import type { Address } from "./senders.ts";

type NotFoundRefusal = { ok: false; code: "NOT_FOUND" };
const notFoundRefusal: NotFoundRefusal = { ok: false, code: "NOT_FOUND" };

/** Stores a mail instead of sending it; storing it again changes nothing. */
export async function storeInMailbox(
  tx: Tx,
  mail: RenderedMail & { id: number; from: Address; to: string; at: Date },
): Promise<void> {
  const { id, at, subject, html, text, from, to } = mail;
  const sender = `${from.name} <${from.address}>`;
  await tx
    .insert(mailboxTable)
    .values({ id, at, sender, recipient: to, subject, html, text })
    .onConflictDoNothing();
}

/**
 * The newest mails of the development mailbox, at most 200, optionally of one recipient. NOT_FOUND unless Midman runs as a trial: anybody
 * can read the mailbox, and it contains links that sign in, so a forgotten ALLOW_SANDBOX beside a real provider must not open it.
 */
export async function listMail(
  filter: { to?: string; limit?: number } = {},
): Promise<{ ok: true; mails: KeptMail[] } | NotFoundRefusal> {
  if (!isTrial()) return notFoundRefusal;
  const rows = await db()
    .select()
    .from(mailboxTable)
    .where(
      filter.to === undefined
        ? undefined
        : sql`lower(${mailboxTable.recipient}) = lower(${filter.to.replaceAll("\0", "")})`,
    )
    .orderBy(desc(mailboxTable.id))
    .limit(Math.min(filter.limit ?? 200, 200));
  return { ok: true, mails: rows.map(toKeptMail) };
}

/** One mail with its HTML. NOT_FOUND when there is none, and whenever Midman does not run as a trial. */
export async function readMail(
  id: number,
): Promise<{ ok: true; mail: KeptMail & { html: string } } | NotFoundRefusal> {
  if (!isTrial() || !Number.isSafeInteger(id)) return notFoundRefusal;
  const [row] = await db().select().from(mailboxTable).where(eq(mailboxTable.id, id));
  return row === undefined ? notFoundRefusal : { ok: true, mail: { ...toKeptMail(row), html: row.html } };
}

function toKeptMail(row: typeof mailboxTable.$inferSelect): KeptMail {
  const { id, at, sender, recipient, subject, text } = row;
  return { id, at, from: sender, to: recipient, subject, text, links: text.match(/https?:\/\/\S+/g) ?? [] };
}
