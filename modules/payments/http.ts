import { Elysia } from "elysia";
import { handleBehaviorRequest, handlePayRequest } from "./lib/sandbox/control-requests.ts";
import { createInvoice, showInvoice, withdrawInvoice } from "./lib/sandbox/invoices.ts";
import { checkPayments, listPayments, reversePayment, showPayment } from "./lib/sandbox/payments.ts";
import { playProviderCall } from "./lib/sandbox/play-provider-call.ts";
import { issueToken, refreshToken } from "./lib/sandbox/tokens.ts";

const sandboxApiPath = "/sandbox/qpay/v2";
// The sandbox reads its own bodies: it accepts an empty one under `Content-Type: application/json`.
const unparsedBodyOptions = { parse: "none" } as const;

/**
 * The sandbox provider: QPay v2 over real HTTP, and the routes by which a user or a test pays an invoice and sets faults. Served only where
 * ALLOW_SANDBOX is set and no provider is configured; otherwise every path answers 404. It uses no cookies.
 */
export const paymentsRoutes = new Elysia({ name: "payments.http" })
  .post(
    `${sandboxApiPath}/auth/token`,
    ({ request }) => playProviderCall("token", { request, open: true }, (at) => issueToken(request, at)),
    unparsedBodyOptions,
  )
  .post(
    `${sandboxApiPath}/auth/refresh`,
    ({ request }) => playProviderCall("refresh", { request, open: true }, (at) => refreshToken(request, at)),
    unparsedBodyOptions,
  )
  .post(
    `${sandboxApiPath}/invoice`,
    ({ request }) => playProviderCall("invoice", { request }, (at) => createInvoice(request, at)),
    unparsedBodyOptions,
  )
  .get(`${sandboxApiPath}/invoice/:id`, ({ request, params: { id } }) =>
    playProviderCall("getInvoice", { request }, () => showInvoice(id)),
  )
  .delete(
    `${sandboxApiPath}/invoice/:id`,
    ({ request, params: { id } }) =>
      playProviderCall("cancelInvoice", { request }, () => withdrawInvoice(id)),
    unparsedBodyOptions,
  )
  .post(
    `${sandboxApiPath}/payment/check`,
    ({ request }) => playProviderCall("check", { request }, (_, act) => checkPayments(request, act)),
    unparsedBodyOptions,
  )
  .post(
    `${sandboxApiPath}/payment/list`,
    ({ request }) => playProviderCall("list", { request }, (_, act) => listPayments(request, act)),
    unparsedBodyOptions,
  )
  .get(`${sandboxApiPath}/payment/:id`, ({ request, params: { id } }) =>
    playProviderCall("payment", { request }, () => showPayment(id)),
  )
  .delete(
    `${sandboxApiPath}/payment/cancel/:id`,
    ({ request, params: { id } }) => playProviderCall("cancelPayment", { request }, () => reversePayment(id)),
    unparsedBodyOptions,
  )
  .delete(
    `${sandboxApiPath}/payment/refund/:id`,
    ({ request, params: { id } }) => playProviderCall("refundPayment", { request }, () => reversePayment(id)),
    unparsedBodyOptions,
  )
  .post(
    "/sandbox/qpay/pay/:id",
    ({ request, params: { id } }) => handlePayRequest(id, request),
    unparsedBodyOptions,
  )
  .get("/sandbox/qpay/behave", ({ request }) => handleBehaviorRequest(request))
  .post("/sandbox/qpay/behave", ({ request }) => handleBehaviorRequest(request), unparsedBodyOptions);
