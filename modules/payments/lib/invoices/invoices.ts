import { and, asc, eq, inArray } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Invoice, Reference } from "../provider/provider-types.ts";
import { type InvoiceRow, invoicesTable as table } from "../schema/provider.ts";

/** The invoice that payers are now offered, reserved or open; null when there is none. */
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

/** The number of invoices that a reference ever had. */
export function countInvoices(exec: Executor, reference: Reference): Promise<number> {
  return exec.$count(table, eq(table.reference, reference));
}

/** One invoice by Midman's id; null if it does not exist or if the text is not an id. */
export async function invoiceById(exec: Executor, id: string): Promise<Invoice | null> {
  if (!isUuid(id)) return null;
  const [row] = await exec.select().from(table).where(eq(table.id, id));
  return row ? invoiceOf(row) : null;
}

/**
 * The QR code as PNG bytes, drawn from the provider's QR text so that no foreign image is ever served; null until the provider has
 * answered. The image of an id never changes, so responses may be cached.
 */
export async function invoiceQrPng(exec: Executor, id: string): Promise<Uint8Array | null> {
  const invoice = await invoiceById(exec, id);
  return invoice?.qrText ? drawQr(invoice.qrText) : null;
}

/** Draws a QR code that a cheap camera reads from a bright screen: a quiet zone of 4 modules, 8 pixels a module. */
export async function drawQr(text: string): Promise<Uint8Array> {
  const { default: QRCode } = await import("qrcode");
  return QRCode.toBuffer(text, { type: "png", errorCorrectionLevel: "M", margin: 4, scale: 8 });
}

/** Converts an invoice's row to the shape that callers get. */
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

/** True for a UUID. Postgres throws for any other text, so ids from URLs are checked first. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
