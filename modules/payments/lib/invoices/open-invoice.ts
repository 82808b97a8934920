import { and, eq, sql } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { newSecret } from "../provider/callback-secret.ts";
import type { Invoice } from "../provider/provider-types.ts";
import { getProviderClient, noProvider } from "../qpay/client.ts";
import { type CallFailure, unknownOutcome } from "../qpay/http-exchange.ts";
import { type CreatedInvoice, createInvoice } from "../qpay/invoice.ts";
import { callbackOrigin } from "../qpay/provider-access.ts";
import { type InvoiceRow, invoicesTable, providerInvoicesTable } from "../schema/provider.ts";
import { withdrawEndedInvoices } from "./cancel-invoices.ts";
import { invoiceOf } from "./invoices.ts";
import { QR_MS } from "./reserve-invoice.ts";

export type OpenInvoiceResult =
  | { ok: true; invoice: Invoice }
  | { ok: false; code: "PROVIDER_UNAVAILABLE" | "INVOICE_CLOSED" }
  | { ok: false; code: "PROVIDER_REFUSED"; providerCode: string };

/** A creation that is still `sent` after this time has lost its reply: its process died, or its call ended without a record. */
const LOST_AFTER_SECONDS = 45;
const WAIT_MS = 15_000;

type Creation = { id: number; senderInvoiceNo: string; secret: string };
type CreationClaim =
  | { kind: "done"; invoice: InvoiceRow }
  | { kind: "busy" }
  | { kind: "mine"; invoice: InvoiceRow; creation: Creation };

/**
 * Makes a reserved invoice payable: calls the provider outside any transaction and records its reply. Safe to repeat and to call in
 * parallel: an open invoice is returned as it is, and one that another caller is opening is awaited for up to 15 s. A lost reply leaves the
 * invoice reserved, and the next call sends a new `sender_invoice_no`; both numbers stay on record. Refuses INVOICE_CLOSED if the invoice
 * was superseded or paid meanwhile, PROVIDER_UNAVAILABLE and PROVIDER_REFUSED.
 */
export async function openInvoice(invoiceId: string): Promise<OpenInvoiceResult> {
  const until = Date.now() + WAIT_MS;
  for (let wait = 25; ; wait = Math.min(500, wait * 2)) {
    const claim = await runInTransaction((tx) => claimCreation(tx, invoiceId));
    if (claim.kind === "done") return toOpenInvoiceResult(claim.invoice);
    if (claim.kind === "mine") return createProviderInvoice(claim.invoice, claim.creation);
    if (Date.now() > until) return { ok: false, code: "PROVIDER_UNAVAILABLE" };
    await Bun.sleep(wait);
  }
}

/** Claims the one creation that an invoice may have in progress, or returns why it cannot. */
async function claimCreation(tx: Tx, invoiceId: string): Promise<CreationClaim> {
  const [invoice] = await tx
    .select()
    .from(invoicesTable)
    .where(eq(invoicesTable.id, invoiceId))
    .for("update");
  if (invoice === undefined) throw new Error(`openInvoice: there is no invoice ${invoiceId}`);
  if (invoice.state !== "reserved") return { kind: "done", invoice };
  await tx
    .update(providerInvoicesTable)
    .set({ state: "lost" })
    .where(
      and(
        eq(providerInvoicesTable.invoiceId, invoiceId),
        eq(providerInvoicesTable.state, "sent"),
        sql`sent_at < clock_timestamp() - make_interval(secs => ${LOST_AFTER_SECONDS})`,
      ),
    );
  const earlier = await tx
    .select({ state: providerInvoicesTable.state })
    .from(providerInvoicesTable)
    .where(eq(providerInvoicesTable.invoiceId, invoiceId));
  if (earlier.some(({ state }) => state === "sent")) return { kind: "busy" };
  const { secret, hash } = newSecret();
  const senderInvoiceNo = `${invoiceId}-${earlier.length + 1}`;
  const [row] = await tx
    .insert(providerInvoicesTable)
    .values({ invoiceId, senderInvoiceNo, secretHash: hash, sentAt: sql`clock_timestamp()` })
    .returning({ id: providerInvoicesTable.id });
  if (row === undefined) throw new Error("openInvoice: the creation was not written");
  return { kind: "mine", invoice, creation: { id: row.id, senderInvoiceNo, secret } };
}

async function createProviderInvoice(
  invoice: InvoiceRow,
  { id, senderInvoiceNo, secret }: Creation,
): Promise<OpenInvoiceResult> {
  const qpay = getProviderClient();
  const answered =
    qpay === null
      ? noProvider
      : await createInvoice(qpay, {
          senderInvoiceNo,
          description: invoice.description,
          amount: invoice.amount,
          callbackUrl: `${callbackOrigin()}/api/qpay/callback/${invoice.id}/${secret}`,
        });
  const at = currentTime();
  const { recorded, reply } = await runInTransaction(async (tx) => {
    const reply = (await isProviderIdRepeated(tx, answered))
      ? unknownOutcome("invoice id repeated")
      : answered;
    return { reply, recorded: await recordReply(tx, invoice.id, id, reply, at) };
  });
  // The invoice was superseded while it was created: withdraws it at the provider at once.
  if (reply.ok && recorded.state !== "open") await withdrawEndedInvoices(invoice.reference);
  if (reply.ok) return toOpenInvoiceResult(recorded);
  if (reply.code === "PROVIDER_UNAVAILABLE") return { ok: false, code: reply.code };
  return { ok: false, code: reply.code, providerCode: reply.providerCode };
}

/** True when the provider returns an id that it already gave to another creation: then it is unknown which invoice it made for this one. */
async function isProviderIdRepeated(
  tx: Tx,
  reply: CreatedInvoice | (CallFailure & { providerId?: string }),
): Promise<boolean> {
  const providerId = "providerId" in reply ? reply.providerId : undefined;
  if (providerId === undefined) return false;
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`payments.provider:${providerId}`}, 0))`,
  );
  return (await tx.$count(providerInvoicesTable, eq(providerInvoicesTable.providerId, providerId))) > 0;
}

/**
 * Records the provider's reply to one creation. Keeps the provider's id even if Midman's invoice has ended, because it may still be paid.
 */
async function recordReply(
  tx: Tx,
  invoiceId: string,
  creationId: number,
  reply: CreatedInvoice | (CallFailure & { providerId?: string }),
  at: Date,
): Promise<InvoiceRow> {
  const [invoice] = await tx
    .select()
    .from(invoicesTable)
    .where(eq(invoicesTable.id, invoiceId))
    .for("update");
  if (invoice === undefined) throw new Error(`openInvoice: there is no invoice ${invoiceId}`);
  const creation = outcomeOf(reply);
  // A creation that another overtook (its lease expired) cannot replace the invoice's provider id, but its own id is kept.
  const taken = invoice.providerId !== null;
  if (creation.state === "opened" && taken) creation.state = "found";
  await tx.update(providerInvoicesTable).set(creation).where(eq(providerInvoicesTable.id, creationId));
  await recordAuditEntry(tx, {
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
    .update(invoicesTable)
    .set(invoice.state === "reserved" ? live : payable)
    .where(eq(invoicesTable.id, invoiceId))
    .returning();
  return after ?? invoice;
}

function outcomeOf(reply: CreatedInvoice | (CallFailure & { providerId?: string })): {
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

function toOpenInvoiceResult(row: InvoiceRow): OpenInvoiceResult {
  return row.state === "open" ? { ok: true, invoice: invoiceOf(row) } : { ok: false, code: "INVOICE_CLOSED" };
}

/** True while an invoice of this reference is being created: a payable invoice may be about to exist. */
export async function isInvoiceBeingOpened(reference: number): Promise<boolean> {
  const [row] = await db()
    .select({ id: providerInvoicesTable.id })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(
      and(
        eq(invoicesTable.reference, reference),
        eq(providerInvoicesTable.state, "sent"),
        sql`sent_at >= clock_timestamp() - make_interval(secs => ${LOST_AFTER_SECONDS})`,
      ),
    )
    .limit(1);
  return row !== undefined;
}
