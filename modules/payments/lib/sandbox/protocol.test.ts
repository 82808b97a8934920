import { describe, expect, test } from "bun:test";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { overrideConfig } from "#config";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { newReference, opened, useSandbox } from "../provider/provider.fixture.ts";
import { paySandboxInvoice } from "./pay-invoice.ts";
import { findSandboxInvoice } from "./sandbox-invoice.ts";

useDatabase();
const sandbox = useSandbox();
const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;

async function call(method: string, path: string, authorization: string | null, body?: unknown) {
  const response = await fetch(`${sandbox.origin}/sandbox/qpay/v2${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...(authorization && { Authorization: authorization }) },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function bearer(): Promise<string> {
  const { body } = await call("POST", "/auth/token", basic("sandbox", "sandbox"));
  return `Bearer ${body.access_token}`;
}
const newInvoice = (over: object = {}) => ({
  invoice_code: "SANDBOX_INVOICE",
  sender_invoice_no: "1",
  invoice_receiver_code: "terminal",
  invoice_description: "d",
  amount: 100,
  callback_url: `${sandbox.origin}/api/qpay/callback/x/y`,
  ...over,
});

describe("authorisation", () => {
  test("a token's reply has the provider's fields, with expiry in absolute seconds a day ahead", async () => {
    const { status, body } = await call("POST", "/auth/token", basic("sandbox", "sandbox"));
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(
      [
        "access_token",
        "expires_in",
        "not-before-policy",
        "refresh_expires_in",
        "refresh_token",
        "scope",
      ].concat(["session_state", "token_type"]),
    );
    expect(body).toMatchObject({ token_type: "bearer", "not-before-policy": "0" });
    const ahead = Number(body.expires_in) - Date.now() / 1000;
    expect(ahead).toBeGreaterThan(86_000);
    expect(ahead).toBeLessThan(87_000);
  });

  test("a refresh token works once", async () => {
    const { body } = await call("POST", "/auth/token", basic("sandbox", "sandbox"), {});
    const refresh = `Bearer ${body.refresh_token}`;
    expect((await call("POST", "/auth/refresh", refresh)).status).toBe(200);
    expect(await call("POST", "/auth/refresh", refresh)).toMatchObject({
      status: 401,
      body: { error: "AUTHENTICATION_FAILED" },
    });
  });

  test.each([
    ["/auth/token", null, "NO_CREDENTIALS"],
    ["/auth/token", basic("sandbox", "wrong"), "AUTHENTICATION_FAILED"],
    ["/invoice", null, "NO_CREDENTIALS"],
    ["/payment/check", "Bearer nonsense", "AUTHENTICATION_FAILED"],
    ["/payment/list", "Bearer nonsense", "AUTHENTICATION_FAILED"],
  ])("%s with %p is 401 %s", async (path, authorization, error) => {
    expect(await call("POST", path, authorization, {})).toMatchObject({ status: 401, body: { error } });
  });
});

describe("invoices", () => {
  test("a new one returns an id, a QR code as bare base64 PNG of its text, and the bank links", async () => {
    const { status, body } = await call("POST", "/invoice", await bearer(), newInvoice());
    expect(status).toBe(200);
    const png = PNG.sync.read(Buffer.from(String(body.qr_image), "base64"));
    expect(jsQR(new Uint8ClampedArray(png.data), png.width, png.height)?.data).toBe(String(body.qr_text));
    expect(body.urls).toHaveLength(23);
    expect(body.qPay_shortUrl).toEndWith(`/sandbox/qpay/pay/${body.invoice_id}`);
  });

  test("a repeated sender_invoice_no is a second payable invoice", async () => {
    const token = await bearer();
    const [a, b] = [
      await call("POST", "/invoice", token, newInvoice({ sender_invoice_no: "same" })),
      await call("POST", "/invoice", token, newInvoice({ sender_invoice_no: "same" })),
    ];
    expect([a.status, b.status]).toEqual([200, 200]);
    expect(a.body.invoice_id).not.toBe(b.body.invoice_id);
  });

  test.each([
    [{ invoice_code: "OTHER" }, "INVOICE_CODE_INVALID"],
    [{ amount: 0 }, "INVALID_AMOUNT"],
    [{ amount: 0.001 }, "INVALID_AMOUNT"],
  ])("%p is refused with %s", async (over, error) => {
    expect(await call("POST", "/invoice", await bearer(), newInvoice(over))).toMatchObject({
      status: 400,
      body: { error },
    });
  });

  test("missing or too long values are named by field", async () => {
    const { status, body } = await call("POST", "/invoice", await bearer(), { invoice_code: "x".repeat(46) });
    expect(status).toBe(400);
    expect(Object.keys(body.error ?? {})).toContain("invoice_code");
    expect(Object.keys(body.error ?? {})).toContain("callback_url");
  });

  test("cancelling: once, again, after payment, a missing one; with an empty JSON body", async () => {
    const token = await bearer();
    const id = (await call("POST", "/invoice", token, newInvoice())).body.invoice_id;
    expect(await call("DELETE", `/invoice/${id}`, token)).toEqual({ status: 200, body: {} });
    expect(await call("DELETE", `/invoice/${id}`, token)).toMatchObject({
      status: 400,
      body: { error: "INVOICE_ALREADY_CANCELED" },
    });
    expect((await call("GET", `/invoice/${id}`, token)).body).toMatchObject({
      invoice_status: "CANCELED",
      total_amount: "100.00",
    });
    await sandbox.told({ dialect: "b" });
    expect((await call("GET", `/invoice/${id}`, token)).body.invoice_status).toBe("CANCELLED");
    const paid = (await call("POST", "/invoice", token, newInvoice())).body.invoice_id;
    await sandbox.pay(String(paid), { callback: false });
    expect((await call("DELETE", `/invoice/${paid}`, token)).body.error).toBe("INVOICE_PAID");
    expect((await call("GET", `/invoice/${paid}`, token)).body.invoice_status).toBe("CLOSED");
    expect((await call("DELETE", `/invoice/${crypto.randomUUID()}`, token)).status).toBe(422);
  });

  test("whether a cancelled invoice can be paid depends on the control", async () => {
    const token = await bearer();
    const id = String((await call("POST", "/invoice", token, newInvoice())).body.invoice_id);
    await call("DELETE", `/invoice/${id}`, token);
    await sandbox.told({ payAfterCancel: false });
    const refused = await sandbox.post(`/sandbox/qpay/pay/${id}`, { callback: false });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: "INVOICE_ALREADY_CANCELED" },
    ]);
    await sandbox.told({ payAfterCancel: true });
    expect((await sandbox.pay(id, { callback: false })).paymentIds).toHaveLength(1);
  });
});

describe("payments", () => {
  test("unpaid has no paid_amount; paid lists strings, the sum and its legs", async () => {
    const token = await bearer();
    const id = String((await call("POST", "/invoice", token, newInvoice())).body.invoice_id);
    const check = { object_type: "INVOICE", object_id: id };
    expect((await call("POST", "/payment/check", token, check)).body).toEqual({ count: 0, rows: [] });
    const { paymentIds } = await sandbox.pay(id, { callback: false });
    expect((await call("POST", "/payment/check", token, check)).body).toMatchObject({
      count: 1,
      paid_amount: 100,
      rows: [
        { payment_id: paymentIds[0], payment_amount: "100.00", trx_fee: "0.00", payment_currency: "MNT" },
      ],
    });
  });

  test("a QR transfer is settled, a card payment is refunded", async () => {
    const token = await bearer();
    const id = String((await call("POST", "/invoice", token, newInvoice())).body.invoice_id);
    const [qr = ""] = (await sandbox.pay(id, { callback: false })).paymentIds;
    const [card = ""] = (await sandbox.pay(id, { callback: false, kind: "CARD" })).paymentIds;
    for (const way of ["cancel", "refund"]) {
      expect(await call("DELETE", `/payment/${way}/${qr}`, token)).toMatchObject({
        status: 400,
        body: { error: "PAYMENT_SETTLED" },
      });
    }
    expect((await call("DELETE", `/payment/refund/${card}`, token)).status).toBe(200);
    expect((await call("GET", `/payment/${card}`, token)).body.payment_status).toBe("REFUNDED");
    expect((await call("DELETE", "/payment/refund/nothing", token)).status).toBe(422);
  });

  test.each([
    ["/payment/check", { object_type: "QR", object_id: "x" }, 400, "INVALID_OBJECT_TYPE"],
    ["/payment/check", { object_type: "INVOICE", object_id: "x" }, 422, "INVOICE_NOTFOUND"],
    ["/payment/check", "{broken", 400, "INVALID_JSON"],
    ["/payment/check", { object_type: "INVOICE", object_id: "\0" }, 400, "INVALID_JSON"],
    [
      "/payment/list",
      { object_type: "MERCHANT", object_id: "OTHER", start_date: "2026-01-01", end_date: "2026-12-31" },
      400,
      "PERMISSION_DENIED",
    ],
  ])("%s of %p is %p %s", async (path, body, status, error) => {
    expect(await call("POST", path, await bearer(), body)).toMatchObject({ status, body: { error } });
  });

  test("a page has a hundred rows at most", async () => {
    const body = { object_type: "INVOICE", object_id: "x", offset: { page_number: 1, page_limit: 101 } };
    expect((await call("POST", "/payment/check", await bearer(), body)).status).toBe(400);
  });

  test.each(["%00", "%ff", "x".repeat(3_000), "..%2f"])("the id %p names nothing", async (id) => {
    expect((await call("GET", `/payment/${id}`, await bearer())).status).toBe(422);
    expect((await call("GET", `/invoice/${id}`, await bearer())).status).toBe(422);
  });
});

describe("the controls", () => {
  test("the page shows what happened", async () => {
    const invoice = await opened(newReference(), 10_000);
    await sandbox.pay(invoice.providerId, { amount: "4000" });
    expect(await findSandboxInvoice(invoice.id)).toMatchObject({
      id: invoice.providerId ?? "",
      amount: 10_000,
      paid: 4_000,
      status: "OPEN",
      payments: [{ amount: 4_000, status: "PAID", callbacks: ["SUCCESS"] }],
    });
  });

  test("a payment that the list lags behind pays its invoice; one that names another does not", async () => {
    const invoice = await opened(newReference(), 10_000);
    const named = crypto.randomUUID();
    await sandbox.pay(invoice.providerId, { amount: "10000", callback: false, namesInvoice: named });
    expect(await findSandboxInvoice(invoice.id)).toMatchObject({ status: "OPEN" });
    await sandbox.pay(invoice.providerId, { amount: "10000", callback: false, listed: false });
    expect(await findSandboxInvoice(invoice.id)).toMatchObject({ status: "CLOSED" });
    const asked = { object_type: "INVOICE", object_id: invoice.providerId };
    const { body } = await call("POST", "/payment/check", await bearer(), asked);
    expect(body).toMatchObject({ count: 1, paid_amount: 10_000, rows: [{ object_id: named }] });
  });

  test("Midman's own id of an invoice pays it too, and a foreign id pays nothing", async () => {
    const invoice = await opened(newReference(), 10_000);
    expect((await sandbox.pay(invoice.id, { callback: false })).paymentIds).toHaveLength(1);
    expect((await sandbox.post(`/sandbox/qpay/pay/${crypto.randomUUID()}`, {})).status).toBe(422);
    expect((await sandbox.post("/sandbox/qpay/pay/%00", {})).status).toBe(422);
  });

  test.each([
    { amount: -1 },
    { amount: "x" },
    { callback: 1_000_000 },
    { payments: 1e9 },
    { unknown: 1 },
    [[]],
    "no",
  ])("the garbage %p pays nothing", async (body) => {
    const invoice = await opened(newReference(), 10_000);
    expect((await sandbox.post(`/sandbox/qpay/pay/${invoice.providerId}`, body)).status).toBe(400);
    expect((await findSandboxInvoice(invoice.id))?.payments).toEqual([]);
  });

  test("a control is listed until it took effect, and reset clears it", async () => {
    const told = { operation: "check", fail: 503, nextCalls: 2, pageLimit: 5 };
    expect(await sandbox.told(told)).toMatchObject({
      manners: { pageLimit: 5 },
      next: [{ operation: "check", remaining: 2, told: { fail: 503 } }],
    });
    expect(await sandbox.told({ reset: true })).toMatchObject({
      manners: { pageLimit: 100 },
      next: [],
      calls: {},
    });
    expect((await sandbox.post("/sandbox/qpay/behave", { operation: "all of them" })).status).toBe(400);
  });

  test("with a real provider, or without an allowed sandbox, none of it exists", async () => {
    const invoice = await opened(newReference(), 10_000);
    for (const settings of [
      { ALLOW_SANDBOX: false },
      { ALLOW_SANDBOX: true, QPAY_BASE_URL: "https://merchant.example/v2" },
    ]) {
      overrideConfig(settings);
      try {
        expect((await call("POST", "/auth/token", basic("sandbox", "sandbox"))).status).toBe(404);
        expect((await sandbox.post("/sandbox/qpay/behave", {})).status).toBe(404);
        expect((await sandbox.post(`/sandbox/qpay/pay/${invoice.providerId}`, {})).status).toBe(404);
        expect(await findSandboxInvoice(invoice.id)).toBeNull();
        expect((await paySandboxInvoice(invoice.id, {}, new Date())).ok).toBe(false);
      } finally {
        overrideConfig({ ALLOW_SANDBOX: true, QPAY_BASE_URL: undefined });
      }
    }
  });
});
