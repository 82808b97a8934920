import { db } from "#db/client";
import { currentTime } from "#db/clock";
import type { Actor } from "#modules/identity";
import { drawQrSheet, type Invoice, invoiceById, invoiceQrPng } from "#modules/payments";
import { requireParty } from "../core/authorization.ts";
import { findTradeForParty, type PartyAccess } from "../core/party-access.ts";
import { unpaidStatuses } from "../machine/trade-types.ts";

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

/**
 * The QR code that a trade's buyer may pay now, as a picture to save: with the amount and the transaction code. Refuses INVOICE_NOT_FOUND
 * if there is none, or if it has expired, and what `requireParty` refuses.
 */
export async function readQrSheet(actor: Actor, tradeId: number) {
  const found = await requireParty(actor, tradeId);
  if (!found.ok) return found;
  const { trade } = found;
  const invoice = trade.invoiceId === null ? null : await invoiceById(db(), trade.invoiceId);
  const payable = invoice?.state === "open" && invoice.expiresAt > currentTime();
  if (!payable || invoice.qrText === null || !unpaidStatuses.includes(trade.status)) return noInvoice;
  const png = await drawQrSheet(invoice.qrText, { amount: invoice.amount, code: trade.code });
  return { ok: true, png, code: trade.code } as const;
}
