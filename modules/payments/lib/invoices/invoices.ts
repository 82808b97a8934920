import { and, asc, eq, inArray } from "drizzle-orm";
import QRCode from "qrcode";
import type { Executor } from "#db/client";
import type { Invoice, Reference } from "../provider/provider-types.ts";
import { type InvoiceRow, invoicesTable as table } from "../schema/provider.ts";

/** The invoice now offered to payers, reserved or open; null when there is none. */
export async function liveInvoice(exec: Executor, reference: Reference): Promise<Invoice | null> {
  const live = and(eq(table.reference, reference), inArray(table.state, ["reserved", "open"]));
  const [row] = await exec.select().from(table).where(live);
  return row ? invoiceOf(row) : null;
}

/** Every invoice of a reference, oldest first. */
export async function listInvoices(exec: Executor, reference: Reference): Promise<Invoice[]> {
  const rows = await exec
    .select()
    .from(table)
    .where(eq(table.reference, reference))
    .orderBy(asc(table.createdAt), asc(table.id));
  return rows.map(invoiceOf);
}

/** How many invoices a reference ever had. */
export function countInvoices(exec: Executor, reference: Reference): Promise<number> {
  return exec.$count(table, eq(table.reference, reference));
}

/** One invoice by our id; null for one that does not exist, and for what is no id at all. */
export async function invoiceById(exec: Executor, id: string): Promise<Invoice | null> {
  if (!isUuid(id)) return null;
  const [row] = await exec.select().from(table).where(eq(table.id, id));
  return row ? invoiceOf(row) : null;
}

/**
 * The QR as PNG bytes, drawn from the provider's own text so that no foreign picture is ever served; null until the
 * provider has answered. The bytes of an id never change: whoever serves them may let them be cached.
 */
export async function invoiceQrPng(exec: Executor, id: string): Promise<Uint8Array | null> {
  const invoice = await invoiceById(exec, id);
  return invoice?.qrText ? drawQr(invoice.qrText) : null;
}

/** A QR a cheap camera reads from a bright screen: four modules of quiet edge, eight pixels a module. */
export function drawQr(text: string): Promise<Uint8Array> {
  return QRCode.toBuffer(text, { type: "png", errorCorrectionLevel: "M", margin: 4, scale: 8 });
}

export function invoiceOf(row: InvoiceRow): Invoice {
  const { id, reference, providerId, amount, state, qrText, shortUrl, bankLinks, createdAt, expiresAt } = row;
  const qrImageUrl = qrText === null ? null : `/qr/${id}.png`;
  return {
    id,
    reference,
    providerId,
    amount,
    state,
    qrText,
    qrImageUrl,
    shortUrl,
    bankLinks,
    createdAt,
    expiresAt,
  };
}

/** Postgres throws at what is no uuid; an id from a URL is looked at first. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
