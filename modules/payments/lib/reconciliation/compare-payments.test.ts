import { describe, expect, test } from "bun:test";
import { type ComparedSides, comparePayments, type FoundDifference } from "./compare-payments.ts";
import type { BilledInvoice, OwnRecord } from "./own-records.ts";
import type { ProviderRecord } from "./provider-records.ts";

const bookedAt = new Date("2026-03-01T04:00:00Z");

/** A payment as the provider lists it: paid, for the first invoice. */
const there = (paymentId: string, over: Partial<ProviderRecord> = {}): ProviderRecord => ({
  ...{
    paymentId,
    key: paymentId,
    providerInvoiceId: "q1",
    status: "PAID",
    amount: 100,
    counts: true,
    problem: null,
  },
  ...over,
});
/** A payment as Midman's records have it. */
const here = (id: number, over: Partial<OwnRecord> = {}): OwnRecord => ({
  ...{ id, paymentId: `p${id}`, reference: 7, invoiceId: "i1", posted: 100, suspended: 0, bookedAt },
  ...{ sameAs: null, key: over.paymentId === undefined ? `p${id}` : over.paymentId },
  ...over,
});
const bills = (amount: number) =>
  new Map<string, BilledInvoice>([
    ["q1", { invoiceId: "i1", reference: 7, amount }],
    ["q2", { invoiceId: "i2", reference: 8, amount }],
  ]);
const nobody: ComparedSides = {
  providerRecords: [],
  ownRecords: [],
  others: [],
  billed: bills(100),
  dealtWith: new Set(),
};
const causes = (sides: Partial<ComparedSides>) =>
  comparePayments({ ...nobody, ...sides }).map(({ cause, subject }) => `${subject} ${cause}`);

describe("a difference shows what each side has:", () => {
  test("only the provider lists it, with Midman's invoice if known", () => {
    const found: FoundDifference = {
      ...{ cause: "missing_here" as const, subject: "p1", providerPaymentId: "p1", paymentId: null },
      ...{ reference: 7, thereAmount: 100, thereStatus: "PAID", hereAmount: null },
    };
    expect(comparePayments({ ...nobody, providerRecords: [there("p1")] })).toEqual([found]);
    for (const providerInvoiceId of [null, "not ours"]) {
      const foreign = [there("p1", { providerInvoiceId })];
      expect(comparePayments({ ...nobody, providerRecords: foreign })).toEqual([
        { ...found, reference: null },
      ]);
    }
  });

  test("only the ledger has it", () => {
    const found = { thereAmount: null, thereStatus: null, hereAmount: 100, reference: 7 };
    expect(comparePayments({ ...nobody, ownRecords: [here(1), here(2, { paymentId: null })] })).toEqual([
      { ...found, cause: "missing_there", subject: "p1", providerPaymentId: "p1", paymentId: 1 },
      { ...found, cause: "by_hand", subject: "hand:2", providerPaymentId: null, paymentId: 2 },
    ]);
  });

  test("both have it differently", () => {
    const sides = {
      ...nobody,
      providerRecords: [there("p1", { amount: 90 })],
      ownRecords: [here(1, { reference: 9 })],
    };
    expect(comparePayments(sides)).toEqual([
      {
        ...{ cause: "amount", subject: "p1", providerPaymentId: "p1", paymentId: 1, reference: 9 },
        ...{ thereAmount: 90, thereStatus: "PAID", hereAmount: 100 },
      },
    ]);
  });
});

describe("a payment that is not booked here", () => {
  test.each([
    ["that failed or is under way", {}, []],
    ["that went back", { problem: "PAYMENT_REVERSED" }, []],
    ["in another currency", { problem: "WRONG_CURRENCY" }, ["p1 uncountable"]],
    ["that nobody can read", { problem: "ODD_ROW" }, ["p1 uncountable"]],
  ] as const)("%s", (_, over, expected) => {
    expect(causes({ providerRecords: [there("p1", { counts: false, ...over })] })).toEqual([...expected]);
  });

  test("and was resolved by a person is no difference any more", () => {
    const odd = there("p1", { counts: false, problem: "UNKNOWN_STATUS" });
    expect(causes({ providerRecords: [odd], dealtWith: new Set(["p1"]) })).toEqual([]);
    expect(causes({ providerRecords: [odd], dealtWith: new Set(["p2"]) })).toEqual(["p1 uncountable"]);
  });
});

describe("a payment that is booked here", () => {
  test.each([
    ["as the provider has it", {}, [], []],
    ["that went back there", { problem: "PAYMENT_REVERSED", counts: false }, ["p1 refunded_there"], []],
    [
      "that is a fraction there",
      { problem: "FRACTIONAL_AMOUNT", counts: false },
      ["p1 amount"],
      ["p1 amount"],
    ],
    [
      "in another currency",
      { problem: "WRONG_CURRENCY", counts: false },
      ["p1 uncountable"],
      ["p1 uncountable"],
    ],
    ["that nobody can read", { problem: "ODD_ROW", counts: false }, ["p1 uncountable"], ["p1 uncountable"]],
    ["of no known status", { problem: "UNKNOWN_STATUS", counts: false }, ["p1 status"], []],
    ["that failed there", { counts: false }, ["p1 status"], []],
  ] as const)("%s, and once it was corrected here", (_, over, posted, undone) => {
    const listed = [there("p1", over)];
    expect(causes({ providerRecords: listed, ownRecords: [here(1)] })).toEqual([...posted]);
    if (listed[0]?.counts === false) {
      expect(causes({ providerRecords: listed, ownRecords: [here(1, { posted: 0 })] })).toEqual([...undone]);
    }
  });

  test("and corrected here, and not listed there, is no difference", () => {
    expect(causes({ ownRecords: [here(1, { posted: 0 }), here(2, { posted: 0, paymentId: null })] })).toEqual(
      [],
    );
  });
});

describe("one invoice paid twice", () => {
  test("is shown at the payment that follows one of the same amount", () => {
    expect(causes({ providerRecords: [there("p1"), there("p2")] })).toEqual([
      "p1 missing_here",
      "p2 duplicate",
    ]);
    expect(causes({ providerRecords: [there("p2"), there("p1")], ownRecords: [here(1)] })).toEqual([
      "p2 duplicate",
    ]);
  });

  test("is shown even if the first was booked on another day", () => {
    expect(causes({ providerRecords: [there("p2")], others: [here(1)] })).toEqual(["p2 duplicate"]);
  });

  test("is shown if both are booked while the second is still in suspense", () => {
    const both = {
      providerRecords: [there("p1"), there("p2")],
      ownRecords: [here(1), here(2, { suspended: 100 })],
    };
    expect(causes(both)).toEqual(["p2 duplicate"]);
    expect(causes({ ...both, ownRecords: [here(1), here(2)] })).toEqual([]);
  });

  test.each([
    ["together they are no more than was billed", { billed: bills(200) }],
    ["the other is of another sum", { providerRecords: [there("p2")], others: [here(1, { posted: 150 })] }],
    [
      "the other is of another invoice",
      { providerRecords: [there("p2")], others: [here(1, { invoiceId: "i2" })] },
    ],
    [
      "the other is listed for another invoice",
      { providerRecords: [there("p1", { providerInvoiceId: "q2" }), there("p2")] },
    ],
    [
      "the other names no invoice",
      { providerRecords: [there("p1", { providerInvoiceId: null }), there("p2")] },
    ],
    ["the other failed", { providerRecords: [there("p1", { counts: false }), there("p2")] }],
  ] as Array<[string, Partial<ComparedSides>]>)("is no difference if %s", (_, sides) => {
    expect(causes({ providerRecords: [there("p1"), there("p2")], ...sides })).not.toContain("p2 duplicate");
  });

  test("counts a payment that is booked and listed once", () => {
    const half = { amount: 50 };
    const first = here(1, { posted: 50 });
    const halves = {
      providerRecords: [there("p1", half), there("p2", half)],
      ownRecords: [first],
      others: [first],
    };
    expect(causes(halves)).toEqual(["p2 missing_here"]);
    expect(causes({ ...halves, billed: bills(99) })).toEqual(["p2 duplicate"]);
  });

  test("is no difference for suspense alone, another amount, or an unknown invoice", () => {
    const left = [here(1, { suspended: 100 })];
    expect(causes({ providerRecords: [there("p1")], ownRecords: left })).toEqual([]);
    expect(
      causes({ providerRecords: [there("p1")], ownRecords: left, others: [here(2, { posted: 50 })] }),
    ).toEqual([]);
    expect(causes({ providerRecords: [there("p1", { providerInvoiceId: null })], ownRecords: left })).toEqual(
      [],
    );
  });
});
