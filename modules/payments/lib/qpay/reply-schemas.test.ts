import { expect, test } from "bun:test";
import type { z } from "zod";
import {
  bankLinkSchema,
  createdIdSchema,
  createdInvoiceSchema,
  invoiceStateSchema,
  paymentPageSchema,
  paymentRowSchema,
} from "./reply-schemas.ts";

/** The parsed reply; undefined when it cannot be parsed. */
const read = (schema: z.ZodType, value: unknown) => schema.safeParse(value).data;
const long = (length: number) => "x".repeat(length);

test.each([
  [" 0012 ", "0012"],
  ["a.b:c-d_E9", "a.b:c-d_E9"],
  [long(64), long(64)],
  [0, "0"],
  [12, "12"],
  [long(65), undefined],
  ["", undefined],
  ["  ", undefined],
  ["?ab", undefined],
  ["ab?", undefined],
  [-1, undefined],
  [1.5, undefined],
  [null, undefined],
])("the identifier %p is read as %p", (value, id) => {
  expect(read(createdIdSchema, { invoice_id: value })).toEqual(
    id === undefined ? undefined : { invoice_id: id },
  );
});

test.each([
  [0, 0],
  [3, 3],
  ["3", 3],
  ["123456789", 123_456_789],
  [null, null],
  [undefined, undefined],
])("the count %p is read as %p", (value, count) => {
  const page = { count: value, paid_amount: "5.00", rows: [1, "two"] };
  expect(read(paymentPageSchema, page)).toEqual({ ...page, count });
});

test.each([-1, 1.5, "", "-1", "a1", "1a", "1234567890", true])(
  "a page with the count %p cannot be read",
  (value) => {
    expect(read(paymentPageSchema, { count: value, rows: [] })).toBeUndefined();
  },
);

test("a page without rows cannot be read", () => {
  expect(read(paymentPageSchema, { count: 0 })).toBeUndefined();
  expect(read(paymentPageSchema, { rows: {} })).toBeUndefined();
});

test("an invoice is read completely, and optional fields may be missing", () => {
  const least = { invoice_id: "7", qr_text: long(2_000) };
  const whole = { ...least, qPay_shortUrl: long(500), urls: [{ name: "x" }, 5] };
  expect(read(createdInvoiceSchema, whole)).toEqual(whole);
  expect(read(createdInvoiceSchema, least)).toEqual(least);
  expect(read(createdInvoiceSchema, { ...least, qPay_shortUrl: long(501), urls: "x" })).toEqual({
    ...least,
    qPay_shortUrl: null,
    urls: null,
  });
});

test.each([
  [{ qr_text: "x" }],
  [{ invoice_id: "7", qr_text: "" }],
  [{ invoice_id: "7", qr_text: long(2_001) }],
  [{ invoice_id: "7" }],
])("an invoice without its id or a QR code of a drawable size cannot be read: %#", (value) => {
  expect(read(createdInvoiceSchema, value)).toBeUndefined();
});

test.each([
  [
    { name: " Khan ", description: " Bank ", link: "khan://q" },
    { name: "Khan", description: "Bank", link: "khan://q" },
  ],
  [
    { name: long(100), description: long(200), link: long(4_000) },
    { name: long(100), description: long(200), link: long(4_000) },
  ],
  [
    { name: "K", description: long(201), link: "l" },
    { name: "K", description: null, link: "l" },
  ],
  [
    { name: "K", link: "l" },
    { name: "K", link: "l" },
  ],
  [{ name: "", link: "l" }, undefined],
  [{ name: "  ", link: "l" }, undefined],
  [{ name: long(101), link: "l" }, undefined],
  [{ name: "K", link: "" }, undefined],
  [{ name: "K", link: long(4_001) }, undefined],
])("a link to a bank is read with its name: %#", (value, link) => {
  expect(read(bankLinkSchema, value)).toEqual(link);
});

test("an invoice's state is read with Midman's number, as text or number", () => {
  const state = { invoice_status: "OPEN", sender_invoice_no: "a-1" };
  expect(read(invoiceStateSchema, state)).toEqual(state);
  expect(read(invoiceStateSchema, { ...state, sender_invoice_no: 5 })).toEqual({
    ...state,
    sender_invoice_no: "5",
  });
  expect(read(invoiceStateSchema, { invoice_status: "OPEN" })).toBeUndefined();
  expect(read(invoiceStateSchema, { sender_invoice_no: "a-1" })).toBeUndefined();
});

const least = { payment_id: "1", payment_status: "PAID" };

test("a payment is read completely, its status and currency in capitals", () => {
  const row = {
    payment_id: 100,
    payment_status: " paid ",
    payment_amount: "5.00",
    payment_currency: " mnt ",
    payment_date: "2026-11-21",
    payment_wallet: ` ${long(100)} `,
    payment_type: " P2P ",
    transaction_type: " CARD ",
    object_type: " INVOICE ",
    object_id: " 000-1 ",
    p2p_transactions: [{ transaction_bank_code: 5 }, { transaction_bank_code: "050000" }, {}],
  };
  expect(read(paymentRowSchema, row)).toEqual({
    payment_id: "100",
    payment_status: "PAID",
    payment_amount: "5.00",
    payment_currency: "MNT",
    payment_date: "2026-11-21",
    payment_wallet: long(100),
    payment_type: "P2P",
    transaction_type: "CARD",
    object_type: "INVOICE",
    object_id: "000-1",
    p2p_transactions: [{ transaction_bank_code: "5" }, { transaction_bank_code: "050000" }, {}],
  });
  expect(read(paymentRowSchema, least)).toEqual(least);
  expect(read(paymentRowSchema, { ...least, object_id: "" })).toEqual({ ...least, object_id: "" });
});

test("of a payment only id and status must be readable", () => {
  const odd = {
    payment_currency: 5,
    payment_date: 5,
    payment_wallet: long(101),
    payment_type: 5,
    transaction_type: {},
    object_type: [],
    object_id: "a b",
    p2p_transactions: "x",
  };
  const nothing = Object.fromEntries(Object.keys(odd).map((name) => [name, null]));
  expect(read(paymentRowSchema, { ...least, ...odd })).toEqual({ ...least, ...nothing });
});

test.each([
  [{ payment_status: "PAID" }],
  [{ payment_id: "1" }],
  [{ ...least, payment_status: " " }],
  [{ ...least, payment_status: long(41) }],
])("a payment without an id or status cannot be read: %#", (value) => {
  expect(read(paymentRowSchema, value)).toBeUndefined();
  expect(read(paymentRowSchema, { ...least, payment_status: long(40) })).toEqual({
    ...least,
    payment_status: long(40).toUpperCase(),
  });
});
