import { describe, expect, test } from "bun:test";
import { setClock } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { newReference, opened, useSandbox } from "../provider/provider.fixture.ts";
import { type ClientSettings, Qpay } from "./client.ts";
import { cancelInvoice, createInvoice, getInvoice } from "./invoice.ts";
import { checkInvoice, getPayment, listPayments } from "./payment.ts";
import { providerAccess } from "./provider-access.ts";
import { defaultRetryPolicy } from "./retry.ts";

useDatabase();
const sandbox = useSandbox();

function client(settings: Partial<ClientSettings> = {}): Qpay {
  const access = providerAccess();
  if (access === null) throw new Error("no sandbox");
  return new Qpay(access, { patience: { ...defaultRetryPolicy, baseMs: 5, capMs: 20 }, ...settings });
}
const anInvoice = async (amount = 10_000) => (await opened(newReference(), amount)).providerId ?? "";
const ids = (listed: Awaited<ReturnType<typeof checkInvoice>>) =>
  listed.ok ? listed.rows.map(({ read }) => read.payment_id) : listed;

describe("the token", () => {
  test("fifty calls at once fetch one, and later calls reuse it", async () => {
    const id = await anInvoice();
    await sandbox.told({ reset: true });
    const qpay = client();
    const replies = await Promise.all(Array.from({ length: 50 }, () => checkInvoice(qpay, id)));
    expect(replies.every((reply) => reply.ok)).toBe(true);
    await checkInvoice(qpay, id);
    expect(await sandbox.told({})).toMatchObject({ calls: { token: 1, check: 51 } });
  });

  test("fifty calls refused at once with 401 renew it once, and all succeed", async () => {
    const id = await anInvoice();
    const qpay = client();
    await checkInvoice(qpay, id);
    await sandbox.told({ reset: true, revokeTokens: true });
    const replies = await Promise.all(Array.from({ length: 50 }, () => checkInvoice(qpay, id)));
    expect(replies.every((reply) => reply.ok)).toBe(true);
    expect(await sandbox.count("token")).toBe(1);
  });

  test("even a creation is sent again after a 401, for then nothing happened", async () => {
    const qpay = client();
    await checkInvoice(qpay, await anInvoice());
    await sandbox.told({ reset: true, revokeTokens: true });
    expect((await create(qpay, "again-1")).ok).toBe(true);
    expect(await sandbox.count("invoice")).toBe(2);
  });

  test("a second 401 is a refusal, not a loop", async () => {
    const id = await anInvoice();
    await sandbox.told({ operation: "check", fail: 401, nextCalls: "all" });
    expect(await checkInvoice(client(), id)).toMatchObject({
      ok: false,
      code: "PROVIDER_REFUSED",
      providerCode: "AUTHENTICATION_FAILED",
    });
    expect(await sandbox.count("check")).toBe(2);
  });

  test("expires_in is a moment: before it, one refresh renews the token, after it the password does", async () => {
    const id = await anInvoice();
    const start = Date.now();
    let time = start;
    const back = setClock(() => new Date(time));
    try {
      await sandbox.told({ reset: true, tokenSeconds: 300 });
      const qpay = client();
      await checkInvoice(qpay, id);
      time = start + 200_000;
      await checkInvoice(qpay, id);
      expect(await sandbox.told({})).toMatchObject({ calls: { token: 1 } });
      time = start + 250_000;
      await checkInvoice(qpay, id);
      expect(await sandbox.told({})).toMatchObject({ calls: { token: 1, refresh: 1 } });
      await sandbox.told({ operation: "refresh", fail: 401 });
      time = start + 500_000;
      expect((await checkInvoice(qpay, id)).ok).toBe(true);
      expect(await sandbox.told({})).toMatchObject({ calls: { token: 2, refresh: 2 } });
    } finally {
      back();
    }
  });

  test("wrong credentials are reported as such, and a creation was never sent", async () => {
    const access = providerAccess();
    const qpay = new Qpay({
      ...access,
      baseUrl: access?.baseUrl ?? "",
      username: "x",
      password: "y",
      invoiceCode: "z",
    });
    expect(await create(qpay, "never-1")).toMatchObject({ code: "PROVIDER_REFUSED", status: 401 });
    expect(await sandbox.count("invoice")).toBe(0);
  });

  test("no token means not sent", async () => {
    await sandbox.told({ operation: "token", garbage: "html", nextCalls: "all" });
    expect(await create(client(), "unsent-1")).toMatchObject({ code: "PROVIDER_UNAVAILABLE", sent: false });
    expect(await sandbox.told({})).toMatchObject({ calls: { token: 3 } });
  });
});

describe("failures", () => {
  test.each([
    ["a failing server", { fail: 500, nextCalls: 2 }],
    ["a throttle", { fail: 429, nextCalls: 2 }],
    ["garbage", { garbage: "html", nextCalls: 2 }],
    ["an empty reply", { garbage: "empty", nextCalls: 2 }],
    ["silence", { delayMs: 600, nextCalls: 2 }],
  ])("a check survives %s twice", async (_, act) => {
    const id = await anInvoice();
    await sandbox.told({ operation: "check", ...act });
    const qpay = client("delayMs" in act ? { timeoutMs: 300 } : {});
    expect(await checkInvoice(qpay, id)).toMatchObject({ ok: true, rows: [], unread: [] });
    expect(await sandbox.count("check")).toBe(3);
  });

  test.each([
    ["the server keeps failing", { fail: 503 }],
    ["it answers garbage", { garbage: "cut" }],
    ["it stays silent", { delayMs: 500 }],
  ])("a check is unknown, never unpaid, when %s; it stops after three attempts", async (_, act) => {
    const id = await anInvoice();
    await sandbox.told({ operation: "check", nextCalls: "all", ...act });
    const qpay = client("delayMs" in act ? { timeoutMs: 300 } : {});
    expect(await checkInvoice(qpay, id)).toMatchObject({ ok: false, code: "PROVIDER_UNAVAILABLE" });
    expect(await sandbox.count("check")).toBe(3);
  });

  test("a reply of another form is unknown immediately: a retry would not help", async () => {
    const id = await anInvoice();
    await sandbox.told({ operation: "check", garbage: "shape", nextCalls: "all" });
    expect(await checkInvoice(client(), id)).toMatchObject({ ok: false, code: "PROVIDER_UNAVAILABLE" });
  });

  test("a check ends with its time budget", async () => {
    const id = await anInvoice();
    await sandbox.told({ operation: "check", delayMs: 3_000, nextCalls: "all" });
    const start = Date.now();
    expect(await checkInvoice(client({ timeoutMs: 10_000 }), id, 250)).toMatchObject({ ok: false });
    expect(Date.now() - start).toBeLessThan(1_500);
  });

  test("an unreachable address is unknown", async () => {
    const qpay = new Qpay(
      { baseUrl: "http://127.0.0.1:9/v2", username: "a", password: "b", invoiceCode: "c" },
      { patience: { ...defaultRetryPolicy, baseMs: 1 } },
    );
    expect(await checkInvoice(qpay, crypto.randomUUID())).toMatchObject({
      code: "PROVIDER_UNAVAILABLE",
      sent: false,
    });
  });

  test("a creation is never retried automatically", async () => {
    await sandbox.told({ operation: "invoice", fail: 500, nextCalls: "all" });
    expect(await create(client(), "once-1")).toMatchObject({ code: "PROVIDER_UNAVAILABLE", sent: true });
    expect(await sandbox.count("invoice")).toBe(1);
  });

  test("field errors are returned as a refusal with the fields", async () => {
    expect(await create(client(), "x".repeat(46))).toMatchObject({
      providerCode: "VALIDATION:sender_invoice_no",
    });
    expect(await create(client(), "fields-1", -5)).toMatchObject({ providerCode: "INVALID_AMOUNT" });
  });
});

describe("paging", () => {
  test("250 payments are read over three pages, each once", async () => {
    const id = await anInvoice();
    const { paymentIds } = await sandbox.pay(id, { amount: 10, payments: 250, callback: false });
    expect(ids(await checkInvoice(client(), id))).toEqual(paymentIds);
    expect(await sandbox.count("check")).toBe(3);
  });

  test("exactly one full page is followed by a request for the next", async () => {
    const id = await anInvoice();
    await sandbox.pay(id, { amount: 10, payments: 100, callback: false });
    expect(ids(await checkInvoice(client(), id))).toHaveLength(100);
    expect(await sandbox.count("check")).toBe(2);
  });

  test("a provider with smaller pages than requested is read to the end", async () => {
    const id = await anInvoice();
    await sandbox.told({ pageLimit: 7 });
    await sandbox.pay(id, { amount: 10, payments: 30, callback: false });
    expect(ids(await checkInvoice(client(), id))).toHaveLength(30);
  });

  test("rows listed twice count once", async () => {
    const id = await anInvoice();
    await sandbox.pay(id, { callback: false });
    await sandbox.told({ operation: "check", repeat: 3 });
    expect(ids(await checkInvoice(client(), id))).toHaveLength(1);
  });

  test("fewer rows than the provider counts is unknown", async () => {
    const id = await anInvoice();
    await sandbox.pay(id, { amount: 10, payments: 3, callback: false });
    await sandbox.told({ operation: "check", garbage: "partial", nextCalls: "all" });
    expect(await checkInvoice(client(), id)).toMatchObject({ ok: false, code: "PROVIDER_UNAVAILABLE" });
  });
});

describe("the other calls", () => {
  test.each(["a", "b"])("dialect %s means the same for an invoice and its payment", async (dialect) => {
    const qpay = client();
    const id = await anInvoice();
    await sandbox.told({ dialect });
    const { paymentIds } = await sandbox.pay(id, { callback: false });
    const listed = await checkInvoice(qpay, id);
    expect(listed.ok && listed.rows[0]?.read).toMatchObject({
      payment_id: paymentIds[0],
      payment_status: "PAID",
    });
    expect(await getPayment(qpay, paymentIds[0] ?? "")).toMatchObject({ ok: true, row: { object_id: id } });
    expect(await cancelInvoice(qpay, id)).toEqual({ ok: true, outcome: "paid" });
    const other = await anInvoice();
    expect(await cancelInvoice(qpay, other)).toEqual({ ok: true, outcome: "cancelled" });
    expect(await cancelInvoice(qpay, other)).toEqual({ ok: true, outcome: "cancelled" });
    expect(await getInvoice(qpay, other)).toMatchObject({ ok: true, status: "CANCELLED" });
    expect(await cancelInvoice(qpay, crypto.randomUUID())).toEqual({ ok: true, outcome: "absent" });
  });

  test("the merchant's list has what was paid in its period", async () => {
    const { paymentIds } = await sandbox.pay(await anInvoice(), { callback: false });
    const now = Date.now();
    const today = await listPayments(client(), new Date(now - 60_000), new Date(now + 60_000));
    expect(ids(today)).toContain(paymentIds[0] ?? "");
    const yesterday = await listPayments(client(), new Date(now - 172_800_000), new Date(now - 86_400_000));
    expect(ids(yesterday)).not.toContain(paymentIds[0] ?? "");
  });
});

function create(qpay: Qpay, senderInvoiceNo: string, amount = 1_000) {
  const callbackUrl = `${sandbox.origin}/api/qpay/callback/x/y`;
  return createInvoice(qpay, { senderInvoiceNo, description: "d", amount, callbackUrl });
}
