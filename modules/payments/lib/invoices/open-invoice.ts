import { and, eq, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import { newSecret } from "../provider/callback-secret.ts";
import type { Invoice } from "../provider/provider-types.ts";
import { noProvider, provider } from "../qpay/client.ts";
import { type Failure, unknown } from "../qpay/http-exchange.ts";
import { type Created, createInvoice } from "../qpay/invoice.ts";
import { callbackOrigin } from "../qpay/provider-access.ts";
import { type InvoiceRow, invoices, providerInvoices } from "../schema/provider.ts";
import { withdrawEnded } from "./cancel-invoices.ts";
import { invoiceOf } from "./invoices.ts";
import { QR_MS } from "./reserve-invoice.ts";

export type Opened =
  | { ok: true; invoice: Invoice }
  | { ok: false; code: "PROVIDER_UNAVAILABLE" | "INVOICE_CLOSED" }
  | { ok: false; code: "PROVIDER_REFUSED"; providerCode: string };

/** A creation still `sent` after this long has lost its reply: its process died, or its call ended unrecorded. */
const LOST_AFTER_SECONDS = 45;
const WAIT_MS = 15_000;

type Creation = { id: number; senderInvoiceNo: string; secret: string };
type Claim =
  | { kind: "done"; invoice: InvoiceRow }
  | { kind: "busy" }
  | { kind: "mine"; invoice: InvoiceRow; creation: Creation };

/**
 * Makes a reserved invoice payable: calls the provider outside any transaction and records its reply. Safe to repeat and in
 * parallel: an open invoice answers as it is, one being opened elsewhere is waited for. A lost reply leaves ours reserved
 * and the next call sends a fresh `sender_invoice_no`, both being known. INVOICE_CLOSED: it was superseded or paid meanwhile.
 */
export async function openInvoice(invoiceId: string): Promise<Opened> {
  const until = Date.now() + WAIT_MS;
  for (let wait = 25; ; wait = Math.min(500, wait * 2)) {
    const claim = await transaction((tx) => claimCreation(tx, invoiceId));
    if (claim.kind === "done") return standing(claim.invoice);
    if (claim.kind === "mine") return create(claim.invoice, claim.creation);
    if (Date.now() > until) return { ok: false, code: "PROVIDER_UNAVAILABLE" };
    await Bun.sleep(wait);
  }
}

/** Takes the one creation an invoice may have under way, or tells why not. */
async function claimCreation(tx: Tx, invoiceId: string): Promise<Claim> {
  const [invoice] = await tx.select().from(invoices).where(eq(invoices.id, invoiceId)).for("update");
  if (invoice === undefined) throw new Error(`openInvoice: there is no invoice ${invoiceId}`);
  if (invoice.state !== "reserved") return { kind: "done", invoice };
  await tx
    .update(providerInvoices)
    .set({ state: "lost" })
    .where(
      and(
        eq(providerInvoices.invoiceId, invoiceId),
        eq(providerInvoices.state, "sent"),
        sql`sent_at < clock_timestamp() - make_interval(secs => ${LOST_AFTER_SECONDS})`,
      ),
    );
  const earlier = await tx
    .select({ state: providerInvoices.state })
    .from(providerInvoices)
    .where(eq(providerInvoices.invoiceId, invoiceId));
  if (earlier.some(({ state }) => state === "sent")) return { kind: "busy" };
  const { secret, hash } = newSecret();
  const senderInvoiceNo = `${invoiceId}-${earlier.length + 1}`;
  const [row] = await tx
    .insert(providerInvoices)
    .values({ invoiceId, senderInvoiceNo, secretHash: hash, sentAt: sql`clock_timestamp()` })
    .returning({ id: providerInvoices.id });
  if (row === undefined) throw new Error("openInvoice: the creation was not written");
  return { kind: "mine", invoice, creation: { id: row.id, senderInvoiceNo, secret } };
}

async function create(invoice: InvoiceRow, { id, senderInvoiceNo, secret }: Creation): Promise<Opened> {
  const qpay = provider();
  const answered =
    qpay === null
      ? noProvider
      : await createInvoice(qpay, {
          senderInvoiceNo,
          description: invoice.description,
          amount: invoice.amount,
          callbackUrl: `${callbackOrigin()}/api/qpay/callback/${invoice.id}/${secret}`,
        });
  const at = now();
  const { recorded, reply } = await transaction(async (tx) => {
    const reply = (await repeatsAnId(tx, answered)) ? unknown("invoice id repeated") : answered;
    return { reply, recorded: await recordReply(tx, invoice.id, id, reply, at) };
  });
  // Superseded while it was being made: what now exists at the provider is taken back at once.
  if (reply.ok && recorded.state !== "open") await withdrawEnded(invoice.reference);
  if (reply.ok) return standing(recorded);
  if (reply.code === "PROVIDER_UNAVAILABLE") return { ok: false, code: reply.code };
  return { ok: false, code: reply.code, providerCode: reply.providerCode };
}

/** True when the provider names an invoice that it had given to another creation: then nobody knows what it made for this one. */
async function repeatsAnId(tx: Tx, reply: Created | (Failure & { providerId?: string })): Promise<boolean> {
  const providerId = "providerId" in reply ? reply.providerId : undefined;
  if (providerId === undefined) return false;
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`payments.provider:${providerId}`}, 0))`,
  );
  return (await tx.$count(providerInvoices, eq(providerInvoices.providerId, providerId))) > 0;
}

/** Writes what came of one creation. The provider's id is kept even when our invoice has ended: it may still be paid. */
async function recordReply(
  tx: Tx,
  invoiceId: string,
  creationId: number,
  reply: Created | (Failure & { providerId?: string }),
  at: Date,
): Promise<InvoiceRow> {
  const [invoice] = await tx.select().from(invoices).where(eq(invoices.id, invoiceId)).for("update");
  if (invoice === undefined) throw new Error(`openInvoice: there is no invoice ${invoiceId}`);
  const creation = outcomeOf(reply);
  // A creation overtaken by another (its lease ran out) may not take the invoice over, but stays known by its id.
  const taken = invoice.providerId !== null;
  if (creation.state === "opened" && taken) creation.state = "found";
  await tx.update(providerInvoices).set(creation).where(eq(providerInvoices.id, creationId));
  await record(tx, {
    by: { userId: null },
    action: `invoice.${creation.state}`,
    at,
    subject: { kind: "invoice", id: invoiceId },
    data: {
      creation: creationId,
      providerId: creation.providerId ?? null,
      refusal: creation.refusal ?? null,
    },
  });
  if (!reply.ok || taken) return invoice;
  const { providerId, qrText, shortUrl, bankLinks } = reply;
  const payable = { providerId, qrText, shortUrl, bankLinks, openedAt: at };
  const live = { ...payable, state: "open" as const, expiresAt: new Date(at.getTime() + QR_MS) };
  const [after] = await tx
    .update(invoices)
    .set(invoice.state === "reserved" ? live : payable)
    .where(eq(invoices.id, invoiceId))
    .returning();
  return after ?? invoice;
}

function outcomeOf(reply: Created | (Failure & { providerId?: string })): {
  state: "opened" | "found" | "refused" | "unsent" | "lost";
  providerId?: string;
  refusal?: string;
} {
  if (reply.ok) return { state: "opened", providerId: reply.providerId };
  if (reply.code === "PROVIDER_REFUSED") return { state: "refused", refusal: reply.providerCode };
  if (!reply.sent) return { state: "unsent", refusal: reply.reason };
  return {
    state: reply.providerId ? "found" : "lost",
    refusal: reply.reason,
    ...(reply.providerId && { providerId: reply.providerId }),
  };
}

function standing(row: InvoiceRow): Opened {
  return row.state === "open" ? { ok: true, invoice: invoiceOf(row) } : { ok: false, code: "INVOICE_CLOSED" };
}

/** True while a creation of this reference is under way: something payable may be about to exist. */
export async function beingOpened(reference: number): Promise<boolean> {
  const [row] = await db()
    .select({ id: providerInvoices.id })
    .from(providerInvoices)
    .innerJoin(invoices, eq(invoices.id, providerInvoices.invoiceId))
    .where(
      and(
        eq(invoices.reference, reference),
        eq(providerInvoices.state, "sent"),
        sql`sent_at >= clock_timestamp() - make_interval(secs => ${LOST_AFTER_SECONDS})`,
      ),
    )
    .limit(1);
  return row !== undefined;
}
