import { describe, expect, test } from "bun:test";
import { unknownOutcome } from "./http-exchange.ts";
import { checkInvoice, getPayment, listPayments } from "./payment.ts";
import { type Answer, type Asked, refusal, useScripted } from "./scripted-provider.fixture.ts";

const provider = useScripted();
const failing = () => new Response(null, { status: 500 });
const row = (id: number) => ({ payment_id: String(id), payment_status: "PAID" });
const odd = { payment_id: "" };
const check = (answer: Answer | object) => checkInvoice(provider.client(answer), "inv-1");
const pageOf = ({ body }: Asked) => (body as { offset: { page_number: number } }).offset.page_number;

describe("the payments of an invoice", () => {
  test("are requested by its id, and the merchant's by a period", async () => {
    const qpay = provider.client({ rows: [] });
    const offset = { page_number: 1, page_limit: 100 };
    await checkInvoice(qpay, "inv-1");
    await listPayments(qpay, new Date(0), new Date(1_000));
    expect(provider.calls()).toMatchObject([
      {
        method: "POST",
        path: "/payment/check",
        body: { object_type: "INVOICE", object_id: "inv-1", offset },
      },
      {
        method: "POST",
        path: "/payment/list",
        body: {
          object_type: "MERCHANT",
          object_id: "SHOP_INVOICE",
          start_date: "1970-01-01T00:00:00.000Z",
          end_date: "1970-01-01T00:00:01.000Z",
          offset,
        },
      },
    ]);
  });

  test("are returned with the request; unreadable ones are separate, and count", async () => {
    const rows = [row(1), odd];
    expect(await check({ count: 2, paid_amount: "10.00", rows })).toEqual({
      ok: true,
      rows: [{ read: row(1), raw: row(1) }],
      unread: [odd],
      paidAmount: { kind: "whole", amount: 10 },
    });
    expect(provider.calls()).toHaveLength(1);
  });

  test("are read over a hundred pages, and no more", async () => {
    const paged = (count: number) => check((asked) => Response.json({ count, rows: [row(pageOf(asked))] }));
    const listed = await paged(100);
    expect(listed.ok && listed.rows.map(({ read }) => read.payment_id)).toEqual(
      Array.from({ length: 100 }, (_, i) => String(i + 1)),
    );
    expect(await paged(101)).toEqual(unknownOutcome("too many pages"));
    expect(provider.calls().map(pageOf)).toEqual([...Array(200)].map((_, i) => (i % 100) + 1));
  });

  test("are unknown at the first empty page when more are counted than arrived", async () => {
    const pages = [[row(1)], [], [row(2)]];
    expect(await check((asked) => Response.json({ count: 2, rows: pages[pageOf(asked) - 1] }))).toEqual(
      unknownOutcome("rows are missing"),
    );
    expect(provider.calls()).toHaveLength(2);
  });

  test.each([
    ["100.00", false],
    [1, false],
    ["0.50", false],
    ["0.00", true],
    [0, true],
    [null, true],
    [undefined, true],
    ["many", true],
  ])("are empty if the provider lists none and reports %p as paid: %p", async (paid_amount, none) => {
    expect(await check({ paid_amount, rows: [] })).toMatchObject(
      none ? { ok: true, rows: [], unread: [] } : unknownOutcome("paid, yet no rows"),
    );
    expect((await check({ paid_amount, rows: [odd] })).ok).toBe(true);
  });

  test("are unknown when the response has another form, fails three times or refuses", async () => {
    expect(await check({ rows: "none" })).toEqual(unknownOutcome("unreadable check"));
    expect(provider.calls()).toHaveLength(1);
    expect(await check(failing)).toEqual(unknownOutcome("HTTP 500"));
    expect(provider.calls()).toHaveLength(4);
    expect(await check(() => refusal("NO"))).toMatchObject({ ok: false, providerCode: "NO" });
  });
});

describe("one payment", () => {
  const get = (answer: Answer | object) => getPayment(provider.client(answer), "a/b");

  test("is requested by its id", async () => {
    expect(await get(row(5))).toEqual({ ok: true, row: row(5) });
    expect(provider.calls()).toMatchObject([{ method: "GET", path: "/payment/a%2Fb" }]);
  });

  test("is requested again while the outcome is unknown, and is unknown when it cannot be read", async () => {
    expect(await get(failing)).toEqual(unknownOutcome("HTTP 500"));
    expect(provider.calls()).toHaveLength(3);
    expect(await get(odd)).toEqual(unknownOutcome("unreadable payment"));
    expect(await get(() => refusal("PAYMENT_NOTFOUND"))).toMatchObject({ providerCode: "PAYMENT_NOTFOUND" });
  });
});
