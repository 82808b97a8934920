import "../../../../tests/support/environment.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { overrideProviderSettings } from "../qpay/client.ts";
import { setSandboxOrigin } from "../qpay/provider-access.ts";
import { defaultRetryPolicy } from "../qpay/retry.ts";
import { isPaidThere, listProviderRecords } from "./provider-records.ts";

/** A provider that answers with the given rows and records the requests. */
const far = { rows: [] as object[], status: 200, asked: [] as object[] };
let server: ReturnType<typeof Bun.serve>;

beforeAll(() => {
  server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/auth/token")) return Response.json({ access_token: "t", expires_in: 86_400 });
      if (far.status !== 200) return Response.json({ error: "PAYMENT_NOTFOUND" }, { status: far.status });
      if (request.method === "GET") return Response.json(far.rows[0] ?? {});
      far.asked.push((await request.json()) as object);
      return Response.json({ count: far.rows.length, rows: far.rows });
    },
  });
  setSandboxOrigin(`http://127.0.0.1:${server.port}`);
});
afterAll(async () => {
  setSandboxOrigin(undefined);
  overrideProviderSettings({});
  await server.stop(true);
});
beforeEach(() => {
  Object.assign(far, { rows: [], status: 200, asked: [] });
  overrideProviderSettings({ patience: { ...defaultRetryPolicy, baseMs: 5, capMs: 20 } });
});

const at = new Date("2026-03-02T01:00:00Z");
const row = (over: object = {}) => ({
  ...{ payment_id: "077", payment_status: "PAID", payment_amount: "100.00", payment_currency: "MNT" },
  ...{ object_type: "INVOICE", object_id: "q1", payment_date: "2026-03-01T04:00:00.000Z" },
  ...over,
});

/** The provider's rows as they are listed. */
async function listed(...rows: object[]) {
  far.rows = rows;
  const all = await listProviderRecords("2026-03-01", at);
  if (!all.ok) throw new Error(all.code);
  return all.rows;
}

describe("the provider's list of a day", () => {
  test("is requested from its first to its last millisecond in Ulaanbaatar", async () => {
    expect(await listed()).toEqual([]);
    expect(far.asked).toMatchObject([
      { start_date: "2026-02-28T16:00:00.000Z", end_date: "2026-03-01T15:59:59.999Z" },
    ]);
  });

  const plain = {
    key: "77",
    ...{ paymentId: "077", providerInvoiceId: "q1", status: "PAID" },
    ...{ amount: 100, counts: true, problem: null },
  };
  const no = { amount: null, counts: false };
  test.each([
    ["money", {}, {}],
    ["money of no named invoice", { object_id: "" }, { providerInvoiceId: null }],
    ["a failure", { payment_status: "FAILED" }, { status: "FAILED", counts: false }],
    ["an attempt under way", { payment_status: "NEW" }, { status: "NEW", counts: false }],
    [
      "what went back",
      { payment_status: "REFUNDED" },
      { status: "REFUNDED", counts: false, problem: "PAYMENT_REVERSED" },
    ],
    [
      "a part of a tugrik",
      { payment_amount: " 99.50 " },
      { ...no, status: "PAID 99.50 MNT", problem: "FRACTIONAL_AMOUNT" },
    ],
    [
      "another currency, as a number",
      { payment_amount: 12, payment_currency: "usd" },
      { ...no, status: "PAID 12 USD", problem: "WRONG_CURRENCY" },
    ],
    ["no currency", { payment_currency: null }, { ...no, status: "PAID 100.00", problem: "WRONG_CURRENCY" }],
    [
      "a sum that is none",
      { payment_amount: { sum: 1 }, payment_currency: "MNT" },
      { ...no, status: "PAID MNT", problem: "ODD_ROW" },
    ],
    [
      "words of no end",
      { payment_amount: "9".repeat(60), payment_currency: "TUGRIKTUGRIK" },
      { ...no, status: `PAID ${"9".repeat(40)} TUGRIKTUGR`, problem: "WRONG_CURRENCY" },
    ],
  ])("has %s unchanged", async (_, over, expected) => {
    expect(await listed(row(over))).toEqual([{ ...plain, ...expected } as never]);
  });

  test("has an unreadable row once, by its own name, beside the readable ones", async () => {
    const unreadable = { payment_id: "088", payment_status: "" };
    expect(await listed(row(), unreadable)).toEqual([
      plain as never,
      {
        ...{ paymentId: "?088", key: "?088", providerInvoiceId: null, status: "?" },
        ...{ amount: null, counts: false, problem: "ODD_ROW" },
      },
    ]);
  });

  test("is missing while the provider does not answer, and without one", async () => {
    far.status = 500;
    expect(await listProviderRecords("2026-03-01", at)).toMatchObject({
      ok: false,
      code: "PROVIDER_UNAVAILABLE",
    });
    overrideConfig({ ALLOW_SANDBOX: false });
    const none = await listProviderRecords("2026-03-01", at).finally(() =>
      overrideConfig({ ALLOW_SANDBOX: true }),
    );
    expect(none).toMatchObject({ ok: false, code: "PROVIDER_UNAVAILABLE", sent: false });
  });
});

describe("whether the provider reports a payment as paid", () => {
  test.each([
    ["with that sum", row(), true],
    ["with another", row({ payment_amount: "101.00" }), false],
    ["as failed", row({ payment_status: "FAILED" }), false],
    ["under another id", row({ payment_id: "078" }), false],
  ])("%s", async (_, told, paid) => {
    far.rows = [told];
    expect(await isPaidThere("077", 100, at)).toEqual({ ok: true, paid });
  });

  test("is no for an unknown payment, and unknown for any other refusal or silence", async () => {
    far.status = 422;
    expect(await isPaidThere("077", 100, at)).toEqual({ ok: true, paid: false });
    far.status = 400;
    expect(await isPaidThere("077", 100, at)).toMatchObject({ ok: false, code: "PROVIDER_REFUSED" });
    far.status = 500;
    expect(await isPaidThere("077", 100, at)).toMatchObject({ ok: false, code: "PROVIDER_UNAVAILABLE" });
    overrideConfig({ ALLOW_SANDBOX: false });
    const none = await isPaidThere("077", 100, at).finally(() => overrideConfig({ ALLOW_SANDBOX: true }));
    expect(none).toMatchObject({ ok: false, sent: false });
  });
});
