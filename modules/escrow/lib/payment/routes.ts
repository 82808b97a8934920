import { Elysia } from "elysia";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import { unpaidStatuses } from "../machine/trade-types.ts";
import { findInvoiceForParty, type PartyInvoice, readInvoiceQr } from "./find-invoice.ts";
import { issueInvoice } from "./issue-invoice.ts";
import * as calls from "./operations.ts";
import { onProviderCallback } from "./provider-callback.ts";

/** Routes for the payment provider's invoices. `invoiceId` is Midman's own id; the provider's id is shown to nobody. */
export const qpayRoutes = new Elysia({ name: "escrow.qpay" })
  .use(withActor)
  .post(
    "/api/qpay/invoices",
    async ({ actor, body }) => {
      const answer = await issueInvoice(actor, body.transactionId, { fresh: body.fresh ?? false });
      if (!answer.ok) return answer;
      const { id, qrImageUrl } = answer.invoice;
      return { invoiceId: id, qrImageUrl, success: true };
    },
    { body: forms.issueInvoiceSchema, detail: calls.issueInvoice },
  )
  .post(
    "/api/qpay/create-payment",
    async ({ actor, body }) => {
      const answer = await issueInvoice(actor, body.transactionId, { fresh: body.fresh ?? false });
      return answer.ok ? { qrImageUrl: answer.invoice.qrImageUrl } : answer;
    },
    { body: forms.issueInvoiceSchema, detail: calls.createPayment },
  )
  .get(
    "/api/qpay/status/:invoiceId",
    async ({ actor, params: { invoiceId } }) => {
      const found = await findInvoiceForParty(actor, invoiceId);
      return found.ok ? { status: statusOf(found), transactionStatus: found.trade.status } : found;
    },
    { detail: calls.showInvoiceStatus },
  )
  .get(
    "/api/qpay/invoices/:invoiceId/qr.png",
    ({ actor, params: { invoiceId } }) => sendInvoiceQr(actor, invoiceId),
    { detail: calls.showInvoiceQr },
  )
  .get("/qr/:file", ({ actor, params: { file } }) => sendInvoiceQr(actor, file.replace(/\.png$/, "")), {
    detail: calls.showQrFile,
  });

/**
 * The provider calls these routes when something may have been paid. They answer `SUCCESS` once the job that asks the provider is
 * committed. They read no cookie and no body: the call is a hint and proves nothing.
 */
export const callbackRoutes = new Elysia({ name: "escrow.callback" })
  .get("/api/qpay/callback/:invoiceId/:secret", ({ params, query }) => respondToCallback(params, query), {
    detail: calls.receiveCallback,
  })
  .post("/api/qpay/callback/:invoiceId/:secret", ({ params, query }) => respondToCallback(params, query), {
    parse: "none",
    detail: calls.receivePostedCallback,
  });

async function respondToCallback(of: { invoiceId: string; secret: string }, query: Record<string, unknown>) {
  const paymentId = query.qpay_payment_id;
  const answer = await onProviderCallback(
    of.invoiceId,
    of.secret,
    typeof paymentId === "string" ? paymentId : null,
  );
  return answer.ok
    ? new Response("SUCCESS", { headers: { "Content-Type": "text/plain; charset=utf-8" } })
    : answer;
}

/** PAID once the requested amount was received, by this invoice or otherwise; a cancelled invoice may still be paid. */
function statusOf({ invoice, trade }: PartyInvoice): "PAID" | "PENDING" | "CANCELLED" {
  const settled = trade.confirmedAt !== null && trade.invoiceId === invoice.id;
  if (invoice.state === "paid" || settled) return "PAID";
  return invoice.state === "cancelled" || !unpaidStatuses.includes(trade.status) ? "CANCELLED" : "PENDING";
}

/** Sends an invoice's QR image. Its bytes never change; the cache is private because the image shows what somebody pays. */
async function sendInvoiceQr(actor: Actor, invoiceId: string) {
  const found = await readInvoiceQr(actor, invoiceId);
  if (!found.ok) return found;
  return new Response(new Uint8Array(found.png), {
    headers: {
      "Content-Type": "image/png",
      "Cache-Control": "private, max-age=86400, immutable",
      // The next user of the same browser has other cookies: a cached image is not theirs.
      Vary: "Cookie",
    },
  });
}
