import { describe, expect, test } from "bun:test";
import { readSum } from "../qpay/amount.ts";
import { paymentRowSchema } from "../qpay/reply-schemas.ts";
import { readProviderTime } from "./provider-time.ts";
import type { PaymentProblem } from "./provider-types.ts";
import { sortRows } from "./sort-paid-rows.ts";

const now = new Date("2026-11-21T04:00:00Z");
const row = (over: object) => ({
  payment_id: "000123456789012",
  payment_status: "PAID",
  payment_amount: "100.00",
  payment_currency: "MNT",
  payment_wallet: "khanbank",
  payment_type: "P2P",
  payment_date: "2026-11-21T03:59:00.000Z",
  ...over,
});
const sort = (...raws: object[]) =>
  sortRows({ rows: raws.map((raw) => ({ read: paymentRowSchema.parse(raw), raw })), unread: [] }, "inv", now);

test("a PAID row keeps its time and the leading zeros of its id", () => {
  expect(
    sort(row({ p2p_transactions: [{ transaction_bank_code: "050000", account_number: "5000" }] })).rows,
  ).toEqual([
    {
      providerPaymentId: "000123456789012",
      invoiceId: "inv",
      amount: 100,
      paidAt: new Date("2026-11-21T03:59:00Z"),
      wallet: "khanbank",
      kind: "P2P",
      payerBank: "050000",
    },
  ]);
});

test("a sparse row has only what the provider reports, and a short bank name", () => {
  const bare = { payment_wallet: "", payment_type: undefined, transaction_type: "CARD" };
  const plain = { providerPaymentId: "000123456789012", invoiceId: "inv", amount: 100 };
  const paidAt = new Date("2026-11-21T03:59:00Z");
  for (const p2p_transactions of [undefined, [], [{}], [{ transaction_bank_code: " " }]]) {
    expect(sort(row({ ...bare, p2p_transactions })).rows).toEqual([{ ...plain, paidAt, kind: "CARD" }]);
  }
  expect(sort(row({ ...bare, transaction_type: undefined })).rows).toEqual([{ ...plain, paidAt }]);
  const [long] = sort(row({ p2p_transactions: [{ transaction_bank_code: ` ${"5".repeat(40)}` }] })).rows;
  expect(long?.payerBank).toBe("5".repeat(32));
});

test("a row without a time is dated by the clock rather than dropped", () => {
  expect(sort(row({ payment_date: null })).rows[0]?.paidAt).toEqual(now);
});

test("only PAID rows count; failures and pending attempts are distinguished", () => {
  const sorted = sort(row({ payment_status: "FAILED" }), row({ payment_status: "NEW" }));
  expect(sorted).toEqual({
    rows: [],
    problems: [],
    failed: 1,
    pending: 1,
    listed: ["123456789012", "123456789012"],
    readable: true,
  });
});

test.each([
  ["WRONG_CURRENCY", { payment_currency: "USD" }],
  ["WRONG_CURRENCY", { payment_currency: undefined }],
  ["FRACTIONAL_AMOUNT", { payment_amount: "100.50" }],
  ["PAYMENT_REVERSED", { payment_status: "REFUNDED" }],
  ["PAYMENT_REVERSED", { payment_status: "refund" }],
  ["UNKNOWN_STATUS", { payment_status: "PARTIAL" }],
  ["ODD_ROW", { payment_amount: "0.00" }],
  ["ODD_ROW", { payment_amount: "a lot" }],
])("a row that is not plainly money is a %s for a person: %p", (code, over) => {
  const sorted = sort(row(over));
  const seen = JSON.parse(JSON.stringify(row(over)));
  expect(sorted).toEqual({
    ...{ rows: [], failed: 0, pending: 0, listed: ["123456789012"], readable: true },
    problems: [
      {
        code: code as PaymentProblem["code"],
        invoiceId: "inv",
        providerPaymentId: "000123456789012",
        row: seen,
      },
    ],
  });
});

test("an unreadable row makes the whole check unknown and is stored without its bank details", () => {
  const raw = { payment_id: "", payment_status: "PAID", p2p_transactions: [{ account_number: "5000" }] };
  expect(sortRows({ rows: [], unread: [raw] }, "inv", now)).toEqual({
    ...{ rows: [], failed: 0, pending: 0, listed: [], readable: false },
    problems: [
      {
        ...{
          code: "ODD_ROW",
          invoiceId: "inv",
          providerPaymentId: expect.stringMatching(/^\?[0-9a-f]{32}$/),
        },
        row: { payment_id: "", payment_status: "PAID" },
      },
    ],
  });
});

test("an unreadable row is named by its own id, cut, or by a digest, and stored unchanged", () => {
  const read = (raw: unknown) => {
    const [problem] = sortRows({ rows: [], unread: [raw] }, "inv", now).problems;
    return [problem?.providerPaymentId, problem?.row];
  };
  expect(read({ payment_id: " 077 " })).toEqual(["?077", { payment_id: " 077 " }]);
  expect(read({ payment_id: 77 })).toEqual(["?77", { payment_id: 77 }]);
  expect(read({ payment_id: "7".repeat(101) })[0]).toBe(`?${"7".repeat(100)}`);
  const odd = [{ a_transactions_b: 1 }, { payment_id: " " }, ["PAID"], "PAID", 7, null, undefined];
  const names = odd.map((raw) => {
    const [name, kept] = read(raw);
    expect(kept).toEqual(raw ?? null);
    return name;
  });
  for (const name of names) expect(name).toMatch(/^\?[0-9a-f]{32}$/);
  expect(new Set(names).size).toBe(odd.length);
  expect(read(["PAID"])[0]).toBe(names[2]);
});

test.each([
  ["2026-11-21T03:59:00.123Z", "2026-11-21T03:59:00.123Z"],
  ["2026-11-21 11:59:00", "2026-11-21T03:59:00.000Z"],
  ["2026-11-21T11:59", "2026-11-21T03:59:00.000Z"],
  ["2026-11-21T11:59:00+0800", "2026-11-21T03:59:00.000Z"],
])("the provider's time %s is %s", (text, iso) => {
  expect(readProviderTime(text)?.toISOString()).toBe(iso);
});

test.each(["yesterday", "", "2026-13-45 00:00:00"])("%p is not a time", (text) => {
  expect(readProviderTime(text)).toBeNull();
});

describe("a row compared with its invoice", () => {
  const asked = { providerId: "Q-1", billed: 1_000 };
  const sortAsked = (paidAmount: unknown, ...raws: object[]) =>
    sortRows(
      {
        rows: raws.map((raw) => ({ read: paymentRowSchema.parse(raw), raw })),
        unread: [],
        paidAmount: readSum(paidAmount),
      },
      "inv",
      now,
      asked,
    );
  const codes = (...raws: object[]) =>
    sortAsked(undefined, ...raws).problems.map(({ code }) => code as string);

  test("that names another invoice is not this trade's money", () => {
    expect(codes(row({ object_id: "Q-2" }))).toEqual(["FOREIGN_INVOICE"]);
    for (const object_id of ["Q-1", "", null, undefined]) expect(codes(row({ object_id }))).toEqual([]);
    const uuid = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
    const other = { ...asked, providerId: uuid };
    const raw = row({ object_id: uuid.toUpperCase() });
    const listed = { rows: [{ read: paymentRowSchema.parse(raw), raw }], unread: [] };
    expect(sortRows(listed, "inv", now, other).rows).toHaveLength(1);
  });

  test("of more than ten times the amount must be confirmed by a person", () => {
    expect(codes(row({ payment_amount: "10000" }))).toEqual([]);
    expect(codes(row({ payment_amount: "10001" }))).toEqual(["IMPLAUSIBLE_AMOUNT"]);
    expect(codes(row({ payment_amount: "999999999999999" }))).toEqual(["IMPLAUSIBLE_AMOUNT"]);
  });

  test("counts for nothing while the provider's total contradicts its rows", () => {
    expect(sortAsked("100.00", row({}))).toMatchObject({
      rows: [{ amount: 100 }],
      readable: true,
      problems: [],
    });
    for (const sum of ["99", "200.00", "0"]) {
      expect(sortAsked(sum, row({}))).toMatchObject({
        ...{ rows: [], readable: false, problems: [{ code: "SUM_CONTRADICTS" }] },
      });
    }
    // The sum counts a failed row as paid.
    expect(sortAsked("100", row({ payment_status: "FAILED" }))).toMatchObject({ failed: 0, readable: false });
    // Beside rows that are not plain payments it is not known what the sum means.
    expect(
      sortAsked("0", row({ payment_status: "REFUNDED" })).problems.map(({ code }) => code as string),
    ).toEqual(["PAYMENT_REVERSED"]);
  });

  test.each(["0001-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "9999-01-01T00:00:00Z"])(
    "of %s is dated by the clock",
    (payment_date) => {
      expect(sortAsked(undefined, row({ payment_date })).rows[0]?.paidAt).toEqual(now);
    },
  );
});
