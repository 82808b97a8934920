import { describe, expect, test } from "bun:test";
import { unknownOutcome } from "./http-exchange.ts";
import { cancelInvoice, createInvoice, getInvoice } from "./invoice.ts";
import { type Answer, refusal, useScripted } from "./scripted-provider.fixture.ts";

const provider = useScripted();
const failing = () => new Response(null, { status: 500 });
const refused = (status: number, providerCode: string) => ({
  ...({ ok: false, code: "PROVIDER_REFUSED", status, providerCode } as const),
});

describe("creating an invoice", () => {
  const invoice = {
    senderInvoiceNo: "a-1",
    description: "MM-1",
    amount: 5_000,
    callbackUrl: "https://m.mn/c",
  };
  const create = (answer: Answer | object, over = {}) =>
    createInvoice(provider.client(answer), { ...invoice, ...over });
  const created = { invoice_id: "0007", qr_text: "qr" };

  test("sends everything once, on its own connection, with at most 255 letters of the description", async () => {
    const done = await create(created, { description: "😀".repeat(300) });
    expect(done).toEqual({ ok: true, providerId: "0007", qrText: "qr", shortUrl: null, bankLinks: [] });
    const [call] = provider.calls();
    expect(provider.calls()).toEqual([
      expect.objectContaining({
        method: "POST",
        path: "/invoice",
        body: {
          invoice_code: "SHOP_INVOICE",
          sender_invoice_no: "a-1",
          invoice_receiver_code: "terminal",
          invoice_description: "😀".repeat(255),
          amount: 5_000,
          callback_url: "https://m.mn/c",
          allow_partial: false,
          allow_exceed: false,
        },
      }),
    ]);
    expect(call?.port).not.toBe(provider.asked[0]?.port);
  });

  test.each([
    ["khanbank://q?qPay_QRcode=1", true],
    ["KhanBank://q?qPay_QRcode=1", true],
    ["socialpay-payment://q?qPay_QRcode=1", true],
    ["unknownbank://q", false],
    ["https://qpay.mn/q", false],
    ["intent://q#Intent;scheme=khanbank;end", false],
    ["tel://99112233", false],
    ["constructor://q", false],
    ["khanbank://q\n1", false],
    ["khanbank://q?qPay_QRcode=MIDMAN SANDBOX", true],
    ["khanbank://", false],
    ["JavaScript://%0aalert(1)", false],
    ["data://text/html,x", false],
    ["vbscript://x", false],
    ["blob://x", false],
    ["file:///etc/passwd", false],
    ["about://blank", false],
    ["khanbank:q", false],
    ["1bank://q", false],
    ["javascript:x='http://q'", false],
    ["://q", false],
  ])("accepts the link %s to a bank's app: %p", async (link, taken) => {
    const urls = [{ name: "Khan", logo: "https://evil.example/x.png", link }, { name: "no link" }];
    const bankLinks = taken ? [{ name: "Khan", description: "", logo: "", link }] : [];
    expect(await create({ ...created, urls })).toMatchObject({ ok: true, bankLinks });
  });

  test("keeps a bank's own description", async () => {
    const urls = [
      { name: "Khan", description: "Хаан банк", link: "khanbank://q" },
      { name: "Golomt", description: null, link: "socialpay-payment://q" },
    ];
    expect(await create({ ...created, urls })).toMatchObject({
      bankLinks: [
        { name: "Khan", description: "Хаан банк", logo: "", link: "khanbank://q" },
        { name: "Golomt", description: "", logo: "", link: "socialpay-payment://q" },
      ],
    });
  });

  test.each([
    ["https://s.qpay.mn/x", true],
    ["http://s.qpay.mn/x", true],
    ["HTTPS://s.qpay.mn", true],
    ["javascript:'https://x'", false],
    ["https://s.qpay.mn/a b", false],
    ["https://", false],
    ["ftp://s.qpay.mn", false],
    ["", false],
    [null, false],
  ])("accepts the short address %p: %p", async (address, taken) => {
    expect(await create({ ...created, qPay_shortUrl: address })).toMatchObject({
      shortUrl: taken ? address : null,
    });
  });

  test("without a readable reply is unknown, and names the created invoice if the reply does", async () => {
    expect(await create({ invoice_id: "0007" })).toEqual({
      ...unknownOutcome("unreadable invoice"),
      providerId: "0007",
    });
    expect(await create({ qr_text: "qr" })).toEqual(unknownOutcome("unreadable invoice"));
  });

  test("is attempted once, whatever happens", async () => {
    expect(await create(failing)).toEqual(unknownOutcome("HTTP 500"));
    expect(provider.calls()).toHaveLength(1);
    expect(await create(() => refusal("MERCHANT_INACTIVE"))).toEqual(refused(400, "MERCHANT_INACTIVE"));
  });
});

describe("looking up an invoice", () => {
  const get = (answer: Answer | object, id = "7") => getInvoice(provider.client(answer), id);

  test.each([
    ["OPEN", "OPEN"],
    ["closed", "CLOSED"],
    ["canceled", "CANCELLED"],
    ["CANCELLED", "CANCELLED"],
  ])("that is %s gives %s, with Midman's number", async (invoice_status, status) => {
    const state = { invoice_status, sender_invoice_no: 12 };
    expect(await get(state, "a/b")).toEqual({ ok: true, senderInvoiceNo: "12", status });
    expect(provider.calls()).toMatchObject([{ method: "GET", path: "/invoice/a%2Fb" }]);
  });

  test("is retried while the outcome is unknown, and reported as unknown or refused", async () => {
    expect(await get(failing)).toEqual(unknownOutcome("HTTP 500"));
    expect(provider.calls()).toHaveLength(3);
    expect(await get({ invoice_status: "OPEN" })).toEqual(unknownOutcome("unreadable invoice"));
    expect(await get(() => refusal("INVOICE_NOTFOUND", 404))).toEqual(refused(404, "INVOICE_NOTFOUND"));
  });
});

describe("withdrawing an invoice", () => {
  const cancel = (answer: Answer) => cancelInvoice(provider.client(answer), "a/b");

  test.each([
    ["INVOICE_ALREADY_CANCELED", "cancelled"],
    ["INVOICE_ALREADY_CANCELLED", "cancelled"],
    ["INVOICE_PAID", "paid"],
    ["INVOICE_NOTFOUND", "absent"],
  ])("that is refused with %s finds it %s", async (code, outcome) => {
    expect(await cancel(() => refusal(code))).toEqual({ ok: true, outcome: outcome as "paid" });
  });

  test.each(["PERMISSION_DENIED", "constructor"])("that is refused with %s is refused", async (code) => {
    expect(await cancel(() => refusal(code))).toEqual(refused(400, code));
  });

  test("is done by DELETE, and retried while the outcome is unknown", async () => {
    expect(await cancel(() => Response.json({}))).toEqual({ ok: true, outcome: "cancelled" });
    expect(provider.calls()).toMatchObject([{ method: "DELETE", path: "/invoice/a%2Fb" }]);
    expect(await cancel(failing)).toEqual(unknownOutcome("HTTP 500"));
    expect(provider.calls()).toHaveLength(4);
  });
});
