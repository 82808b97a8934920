import { expect, test } from "bun:test";
import { amendTradeSchema, createTradeSchema } from "#forms/escrow";
import { readForm } from "../pages/posted-forms.ts";
import { parseAmount } from "./parse-amount.ts";

const right = [
  ["200000", 200_000],
  [" 7 ", 7],
  ["1,234,567", 1_234_567],
  ["20 000", 20_000],
  ["20\u00a0000", 20_000],
  ["1\u2009234\u2009567", 1_234_567],
  ["20\u202f000", 20_000],
  ["20'000", 20_000],
  ["1’234’567", 1_234_567],
  ["110,000 ₮", 110_000],
  ["110,000\u00a0₮", 110_000],
] as const;

const wrong = [
  ...["0x10", "1e5", "1E5", "0b11", "0o7", "+5", "-5", "Infinity", "NaN", "½", "1_000", "5k", "₮"],
  ...[
    "100.000",
    "1.5",
    "1,5",
    "100,00",
    "1,2345",
    "1,,000",
    ",100",
    "1,000,",
    "1,234 567",
    "1234,567",
    "1 2 3",
  ],
  ...["２００００", "٢٠٠", "²", "<b>", "1\n000"],
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
