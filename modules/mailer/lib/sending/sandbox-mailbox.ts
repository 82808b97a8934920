import { desc, eq, sql } from "drizzle-orm";
import { isTrial } from "#config";
import { db, type Tx } from "#db/client";
import { mailbox } from "../core/schema.ts";
import type { Rendered } from "../templates/render-mail.ts";
import type { Address } from "./senders.ts";

/** A mail as the development mailbox shows it; `links` are the addresses in it, in order. */
export type KeptMail = {
  id: number;
  at: Date;
  from: string;
  to: string;
  subject: string;
  text: string;
  links: string[];
};

type Refused = { ok: false; code: "NOT_FOUND" };
const refused: Refused = { ok: false, code: "NOT_FOUND" };

/** Keeps a mail instead of sending it; keeping it twice keeps it once. */
export async function keep(
  tx: Tx,
  mail: Rendered & { id: number; from: Address; to: string; at: Date },
): Promise<void> {
  const { id, at, subject, html, text, from, to } = mail;
  const sender = `${from.name} <${from.address}>`;
  await tx
    .insert(mailbox)
    .values({ id, at, sender, recipient: to, subject, html, text })
    .onConflictDoNothing();
}

/**
 * The newest mails of the development mailbox, at most 200, of one recipient if wanted. NOT_FOUND but in a trial: anybody may read
 * it, and links that sign in stand in it, so ALLOW_SANDBOX left over beside a real provider must not open it.
 */
export async function listMail(
  filter: { to?: string; limit?: number } = {},
): Promise<{ ok: true; mails: KeptMail[] } | Refused> {
  if (!isTrial()) return refused;
  const rows = await db()
    .select()
    .from(mailbox)
    .where(
      filter.to === undefined
        ? undefined
        : sql`lower(${mailbox.recipient}) = lower(${filter.to.replaceAll("\0", "")})`,
    )
    .orderBy(desc(mailbox.id))
    .limit(Math.min(filter.limit ?? 200, 200));
  return { ok: true, mails: rows.map(asKept) };
}

/** One mail with its HTML. NOT_FOUND when there is none, and always but in a trial. */
export async function readMail(
  id: number,
): Promise<{ ok: true; mail: KeptMail & { html: string } } | Refused> {
  if (!isTrial() || !Number.isSafeInteger(id)) return refused;
  const [row] = await db().select().from(mailbox).where(eq(mailbox.id, id));
  return row === undefined ? refused : { ok: true, mail: { ...asKept(row), html: row.html } };
}

function asKept(row: typeof mailbox.$inferSelect): KeptMail {
  const { id, at, sender, recipient, subject, text } = row;
  return { id, at, from: sender, to: recipient, subject, text, links: text.match(/https?:\/\/\S+/g) ?? [] };
}
