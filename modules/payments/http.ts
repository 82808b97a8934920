import { Elysia } from "elysia";
import { behaveAsTold, payByHand } from "./lib/sandbox/controls.ts";
import { createInvoice, showInvoice, withdrawInvoice } from "./lib/sandbox/invoices.ts";
import { checkPayments, listPayments, reversePayment, showPayment } from "./lib/sandbox/payments.ts";
import { play } from "./lib/sandbox/play-behaviour.ts";
import { issueToken, refreshToken } from "./lib/sandbox/tokens.ts";

const v2 = "/sandbox/qpay/v2";
// The far end reads its own bodies: it takes an empty one under `Content-Type: application/json`.
const raw = { parse: "none" } as const;

/**
 * The sandbox provider: QPay v2 over real HTTP, and the controls by which a person or a test pays and disturbs it. Only
 * where ALLOW_SANDBOX is set and no provider is configured; else every path of it answers 404. It knows no cookies.
 */
export const paymentsHttp = new Elysia({ name: "payments.http" })
  .post(
    `${v2}/auth/token`,
    ({ request }) => play("token", { request, open: true }, (at) => issueToken(request, at)),
    raw,
  )
  .post(
    `${v2}/auth/refresh`,
    ({ request }) => play("refresh", { request, open: true }, (at) => refreshToken(request, at)),
    raw,
  )
  .post(
    `${v2}/invoice`,
    ({ request }) => play("invoice", { request }, (at) => createInvoice(request, at)),
    raw,
  )
  .get(`${v2}/invoice/:id`, ({ request, params: { id } }) =>
    play("getInvoice", { request }, () => showInvoice(id)),
  )
  .delete(
    `${v2}/invoice/:id`,
    ({ request, params: { id } }) => play("cancelInvoice", { request }, () => withdrawInvoice(id)),
    raw,
  )
  .post(
    `${v2}/payment/check`,
    ({ request }) => play("check", { request }, (_, act) => checkPayments(request, act)),
    raw,
  )
  .post(
    `${v2}/payment/list`,
    ({ request }) => play("list", { request }, (_, act) => listPayments(request, act)),
    raw,
  )
  .get(`${v2}/payment/:id`, ({ request, params: { id } }) =>
    play("payment", { request }, () => showPayment(id)),
  )
  .delete(
    `${v2}/payment/cancel/:id`,
    ({ request, params: { id } }) => play("cancelPayment", { request }, () => reversePayment(id)),
    raw,
  )
  .delete(
    `${v2}/payment/refund/:id`,
    ({ request, params: { id } }) => play("refundPayment", { request }, () => reversePayment(id)),
    raw,
  )
  .post("/sandbox/qpay/pay/:id", ({ request, params: { id } }) => payByHand(id, request), raw)
  .get("/sandbox/qpay/behave", ({ request }) => behaveAsTold(request))
  .post("/sandbox/qpay/behave", ({ request }) => behaveAsTold(request), raw);
