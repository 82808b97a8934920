import type { Lie, Row } from "./liar.ts";

/** How a trade stands: its status, what is held for it and beside it, and the open reasons of its hold. */
export type Standing = { status: string; held: number; suspense: number; holds: string[] };

/** A lie, when it begins, and how the trade must stand while it is told and once the truth is told again. */
export type Case = {
  lie: Lie;
  /** The truth is told first, and booked. */
  afterTruth?: true;
  during: Standing;
  after: Standing;
};

const change = (fields: Row): Lie => {
  return (rows) => ({ rows: rows.map((row) => ({ ...row, ...fields })) });
};

const stands = (status: string, held: number, holds: string[] = [], suspense = 0): Standing => {
  return { status, held, suspense, holds };
};
const nothing = (...holds: string[]) => stands("payment_pending", 0, holds);
const paid = (...holds: string[]) => stands("payment_confirmed", 110_000, holds);

/** Each trade owes 110,000 ₮ and is really paid them, once. */
export const cases: Record<string, Case> = {
  tooLittle: {
    lie: change({ payment_amount: "11000.00" }),
    during: stands("payment_processing", 11_000),
    // The same payment with another sum is never booked again: a person is told.
    after: stands("payment_processing", 11_000, ["PAYMENT_DIFFERS"]),
  },
  tooMuch: {
    lie: change({ payment_amount: "220000.00" }),
    during: stands("payment_confirmed", 110_000, [], 110_000),
    after: stands("payment_confirmed", 110_000, ["PAYMENT_DIFFERS"], 110_000),
  },
  otherCurrency: {
    lie: change({ payment_currency: "USD" }),
    during: nothing("WRONG_CURRENCY"),
    after: paid("WRONG_CURRENCY"),
  },
  unknownStatus: {
    lie: change({ payment_status: "SETTLING" }),
    during: nothing("UNKNOWN_STATUS"),
    after: paid("UNKNOWN_STATUS"),
  },
  fraction: {
    lie: change({ payment_amount: "110000.50" }),
    during: nothing("FRACTIONAL_AMOUNT"),
    after: paid("FRACTIONAL_AMOUNT"),
  },
  failedThough: {
    lie: change({ payment_status: "FAILED" }),
    during: stands("payment_failed", 0),
    after: paid(),
  },
  unreadable: {
    lie: change({ payment_amount: { much: true } }),
    during: nothing("ODD_ROW"),
    after: paid("ODD_ROW"),
  },
  negative: {
    lie: change({ payment_amount: "-110000.00" }),
    during: nothing("ODD_ROW"),
    after: paid("ODD_ROW"),
  },
  countsMore: {
    lie: (rows) => ({ rows, count: rows.length + 3 }),
    // Not known is not unpaid: the trade stays where it was.
    during: stands("payment_initiated", 0, ["CHECK_UNANSWERED"]),
    after: paid(),
  },
  hidden: { lie: () => ({ rows: [] }), during: nothing(), after: paid() },
  repeated: {
    lie: (rows) => ({ rows: rows.flatMap((row) => [row, row, row]), count: rows.length }),
    during: paid(),
    after: paid(),
  },
  gone: { lie: () => ({ rows: [] }), afterTruth: true, during: paid(), after: paid() },
  reversed: {
    lie: change({ payment_status: "REFUNDED" }),
    afterTruth: true,
    during: paid("PAYMENT_REVERSED"),
    after: paid("PAYMENT_REVERSED"),
  },
  shrunk: {
    lie: change({ payment_amount: "1.00" }),
    afterTruth: true,
    during: paid("PAYMENT_DIFFERS"),
    after: paid("PAYMENT_DIFFERS"),
  },
  foreignInvoice: {
    lie: change({ object_id: "6f9619ff-8b86-d011-b42d-00cf4fc964ff" }),
    during: nothing("FOREIGN_INVOICE"),
    after: paid("FOREIGN_INVOICE"),
  },
  implausible: {
    lie: change({ payment_amount: "999999999999999" }),
    during: nothing("IMPLAUSIBLE_AMOUNT"),
    after: paid("IMPLAUSIBLE_AMOUNT"),
  },
  contradicts: {
    lie: (rows) => ({ rows, paid: 1 }),
    during: stands("payment_initiated", 0, ["SUM_CONTRADICTS"]),
    after: paid(),
  },
  asNumber: {
    lie: (rows) => ({ rows: rows.map((row) => ({ ...row, payment_id: Number(row.payment_id) })) }),
    afterTruth: true,
    during: paid(),
    after: paid(),
  },
  inTwoForms: {
    lie: (rows) => ({
      rows: rows.flatMap((row) => [row, { ...row, payment_id: Number(row.payment_id) }]),
      count: rows.length,
    }),
    during: paid(),
    after: paid(),
  },
  yearOne: {
    lie: change({ payment_date: "0001-01-01T00:00:00" }),
    during: paid(),
    after: paid(),
  },
};
