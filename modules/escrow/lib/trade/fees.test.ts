import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_AMOUNT } from "../core/form-fields.ts";
import { feePayers } from "../machine/trade-types.ts";
import { feeOf, quoteTrade } from "./fees.ts";

const amount = fc.integer({ min: 1, max: MAX_AMOUNT });
const payer = fc.constantFrom(...feePayers);
const policy = fc.constantFrom("standard" as const, "terms" as const);

describe("the fee", () => {
  const cases: Array<[number, number, number]> = [
    [1, 5_000, 5_000],
    [49_999, 5_000, 5_000],
    [50_000, 5_000, 5_000],
    [50_001, 7_500, 5_000],
    [50_010, 7_501, 5_000],
    [71_428, 8_571, 5_000],
    [71_429, 8_571, 5_000],
    [100_000, 10_000, 7_000],
    [1_000_000, 55_000, 70_000],
    [0, 5_000, 5_000],
    [-1, 5_000, 5_000],
    [Number.NaN, 5_000, 5_000],
    [Number.POSITIVE_INFINITY, 5_000, 5_000],
  ];
  for (const [sum, standard, terms] of cases) {
    test(`of ${sum} is ${standard} by standard, ${terms} by the terms`, () => {
      expect(feeOf(sum, "standard")).toBe(standard);
      expect(feeOf(sum, "terms")).toBe(terms);
    });
  }

  test("is a whole number of at least 5,000 that never falls as the amount grows", () => {
    fc.assert(
      fc.property(amount, amount, policy, (a, b, by) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        expect(Number.isInteger(feeOf(less, by))).toBe(true);
        expect(feeOf(less, by)).toBeGreaterThanOrEqual(5_000);
        expect(feeOf(less, by)).toBeLessThanOrEqual(feeOf(more, by));
      }),
    );
  });
});

describe("a quote", () => {
  test("totals the same, whoever pays the fee", () => {
    fc.assert(
      fc.property(amount, payer, policy, (sum, feePayer, by) => {
        const priced = quoteTrade(sum, feePayer, by);
        if (!priced.ok) {
          expect(priced.code).toBe(sum > 50_000 ? "AMOUNT_INVALID" : "NET_TOO_SMALL");
          return;
        }
        const { fee, gross, net, buyerPays, sellerGets, buyerFee } = priced.quote;
        expect(net).toBeGreaterThanOrEqual(1);
        expect(gross).toBeLessThanOrEqual(MAX_AMOUNT);
        expect(gross - net).toBe(fee);
        expect([buyerPays, sellerGets]).toEqual([gross, net]);
        expect(gross - sum).toBe(buyerFee);
        expect(buyerFee).toBe({ buyer: fee, seller: 0, split: Math.ceil(fee / 2) }[feePayer]);
      }),
    );
  });

  test("charges an odd tugrik of a split fee to the buyer", () => {
    const priced = quoteTrade(50_010, "split", "standard");
    expect(priced.ok && priced.quote).toMatchObject({
      fee: 7_501,
      buyerFee: 3_751,
      gross: 53_761,
      net: 46_260,
    });
  });

  test("is refused if the seller would get nothing, and for invalid amounts", () => {
    expect(quoteTrade(5_000, "seller", "standard")).toEqual({ ok: false, code: "NET_TOO_SMALL" });
    expect(quoteTrade(5_001, "seller", "standard")).toMatchObject({ ok: true, quote: { net: 1 } });
    const invalid = { ok: false, code: "AMOUNT_INVALID" } as const;
    for (const bad of [0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(quoteTrade(bad, "buyer", "standard")).toEqual(invalid);
    }
    const params = { max: MAX_AMOUNT };
    expect(quoteTrade(MAX_AMOUNT + 1, "seller", "standard")).toEqual({
      ...invalid,
      textKey: "validation.amountMost",
      params,
    });
    // The amount is allowed, but not with the fee on top.
    expect(quoteTrade(MAX_AMOUNT, "buyer", "standard")).toEqual({
      ...invalid,
      textKey: "validation.grossMost",
      params,
    });
    expect(quoteTrade(MAX_AMOUNT, "seller", "standard")).toMatchObject({
      ok: true,
      quote: { gross: MAX_AMOUNT },
    });
  });
});
