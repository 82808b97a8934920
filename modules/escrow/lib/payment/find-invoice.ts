import { db } from "#db/client";
import type { Actor } from "#modules/identity";
import { type Invoice, invoiceById, invoiceQrPng } from "#modules/payments";
import { findTradeForParty, type PartyAccess } from "../core/party-access.ts";

/** An invoice of one of the actor's trades. */
export type PartyInvoice = PartyAccess & { invoice: Invoice };

const noInvoice = { ok: false, code: "INVOICE_NOT_FOUND" } as const;

/** Finds an invoice of one of the actor's trades. Refuses INVOICE_NOT_FOUND to anyone else. */
export async function findInvoiceForParty(actor: Actor, invoiceId: string) {
  const invoice = await invoiceById(db(), invoiceId);
  const found = await findTradeForParty(db(), actor, invoice?.reference ?? 0);
  if (!found.ok) return found.code === "TRANSACTION_NOT_FOUND" ? noInvoice : { ...found, code: found.code };
  return invoice === null ? noInvoice : ({ ...found, invoice } satisfies PartyInvoice);
}

/** Reads an invoice's QR code as a PNG. Refuses what `findInvoiceForParty` refuses. */
export async function readInvoiceQr(actor: Actor, invoiceId: string) {
  const found = await findInvoiceForParty(actor, invoiceId);
  if (!found.ok) return found;
  const png = await invoiceQrPng(db(), invoiceId);
  return png === null ? noInvoice : ({ ok: true, png } as const);
}
