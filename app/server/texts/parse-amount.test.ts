import { expect, test } from "bun:test";
import fc from "fast-check";
import { amendTradeSchema, createTradeSchema, MAX_AMOUNT } from "#forms/escrow";
import { readForm } from "../pages/posted-forms.ts";
import { parseAmount } from "./parse-amount.ts";

const right = [
  ["200000", 200_000],
  [" 7 ", 7],
  ["1,234,567", 1_234_567],
  ["150.000", 150_000],
  ["1.234.567", 1_234_567],
  ["20 000", 20_000],
  ["20\u00a0000", 20_000],
  ["1\u2009234\u2009567", 1_234_567],
  ["20\u202f000", 20_000],
  ["20'000", 20_000],
  ["1’234’567", 1_234_567],
  ["110,000 ₮", 110_000],
  ["110,000\u00a0₮", 110_000],
  ["₮150,000", 150_000],
  ["150 000 төгрөг", 150_000],
  ["150000төг", 150_000],
  ["150,000 MNT", 150_000],
  ["150,000.00", 150_000],
  ["150k", 150_000],
  ["150K", 150_000],
  ["150К", 150_000],
  ["150 к", 150_000],
  ["150мянга", 150_000],
  ["150 мянга", 150_000],
  ["150 Мянган төгрөг", 150_000],
  ["150 myanga", 150_000],
  ["12.5k", 12_500],
  ["2,75 мянга", 2_750],
  ["2 сая", 2_000_000],
  ["1.5 сая", 1_500_000],
  ["1,5сая", 1_500_000],
  ["1.25 saya", 1_250_000],
  ["0.5 сая", 500_000],
  ["1.5 million", 1_500_000],
] as const;

const wrong = [
  ...["0x10", "1e5", "1E5", "0b11", "0o7", "+5", "-5", "Infinity", "NaN", "½", "1_000", "₮", "k", "сая"],
  // Whole tugrik only, and nothing that has two readings.
  ...[
    "1.5",
    "1,5",
    "100,00",
    "1,50",
    "150.00",
    "150000.00",
    "1,2345",
    "0.150",
    "0,150",
    "1.500 сая",
    "1,500k",
  ],
  ...["150m", "150м", "1.5m", "1.5м", "5 kk", "5x", "1 сая 500 мянга", "1.234,567", "1,234.567", "1,234.50"],
  ...["1,,000", "1..000", ",100", ".100", "1,000,", "1.000.", "1,234 567", "1234,567", "1234.567", "1 2 3"],
  ...["２００００", "٢٠٠", "²", "<b>", "1\n000", "150\nk"],
];

test("an amount is read as people write it", () => {
  for (const [text, sum] of right) expect([text, parseAmount(text)]).toEqual([text, sum]);
});

test("anything else is rejected, in every form", () => {
  for (const text of wrong) {
    expect([text, parseAmount(text)]).toEqual([text, Number.NaN]);
    for (const [form, schema] of [
      ["create-trade", createTradeSchema],
      ["amend", amendTradeSchema],
    ] as const) {
      const body = new FormData();
      body.set("chatRoomId", "1");
      body.set("amount", text);
      const read = readForm(form, body, schema);
      const errors = read.ok ? {} : read.answer.data.result.error;
      expect([text, form, errors]).toEqual([text, form, { amount: ["validation.amount"] }]);
    }
  }
});

test("a form accepts every spelling of an amount, and requires one", () => {
  const body = new FormData();
  body.set("chatRoomId", "1");
  const asked = readForm("create-trade", body, createTradeSchema);
  expect(asked.ok ? {} : asked.answer.data.result.error).toEqual({ amount: ["validation.amount"] });
  body.set("amount", "1,234,567");
  const read = readForm("create-trade", body, createTradeSchema);
  expect(read.ok && read.value.amount).toBe(1_234_567);
  expect(read.ok && read.again().data.result.initialValue?.amount).toBe("1,234,567");
});

const sums = fc.integer({ min: 1, max: MAX_AMOUNT });
const inGroups = (sum: number, separator: string) => sum.toLocaleString("en-US").replaceAll(",", separator);

test("every amount is read back, however its thousands are separated", () => {
  const separators = fc.constantFrom("", ",", ".", " ", "'", "’", "\u00a0", "\u2009", "\u202f");
  const endings = fc.constantFrom("", "₮", " ₮", " төгрөг", "төг");
  fc.assert(
    fc.property(sums, separators, endings, (sum, separator, ending) => {
      expect(parseAmount(inGroups(sum, separator) + ending)).toBe(sum);
    }),
  );
});

test("a number of thousands or millions is read back, with up to two decimals", () => {
  const units = fc.constantFrom(
    ["k", 1_000],
    ["К", 1_000],
    [" мянга", 1_000],
    [" сая", 1_000_000],
    ["сая", 1_000_000],
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999 }),
      units,
      fc.constantFrom(".", ","),
      (hundredths, unit, point) => {
        const [word, size] = unit as [string, number];
        const typed = (hundredths / 100).toFixed(2).replace(".", point);
        expect(parseAmount(typed + word)).toBe((hundredths * size) / 100);
      },
    ),
  );
});

test("whatever is typed is read as a whole number without sign, or refused", () => {
  const marks = fc.string({ unit: fc.constantFrom(..."0123456789.,' kкмmсая₮-+e\u00a0"), maxLength: 14 });
  fc.assert(
    fc.property(marks, (typed) => {
      const read = parseAmount(typed);
      expect(Number.isNaN(read) || (Number.isInteger(read) && read >= 0)).toBe(true);
      // A number that is read keeps its digits in their order: nothing is rounded or moved.
      const digits = typed.replaceAll(/\D/g, "").replace(/^0+/, "");
      if (!Number.isNaN(read)) expect(String(read).startsWith(digits.replace(/0+$/, ""))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test("an amount over the limit is refused with the limit, not as unreadable", () => {
  for (const typed of ["1,000,000,000", "1000 сая", "999999999999999999999"]) {
    const body = new FormData();
    body.set("chatRoomId", "1");
    body.set("amount", typed);
    const read = readForm("create-trade", body, createTradeSchema);
    expect(read.ok ? {} : read.answer.data.result.error).toEqual({
      amount: [`validation.amountMost?max=${MAX_AMOUNT}`],
    });
  }
});
