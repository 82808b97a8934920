import { expect, test } from "bun:test";
import { findNextMark, placeOfMark, tradeMarks } from "./trade-line.tsx";

test("no step is the current one once the money was paid out, whichever step was skipped", () => {
  const done = ["agreed", "paid", "held", "confirmed", "paidOut"] as const;
  expect(findNextMark({ done })).toBeUndefined();
  expect(tradeMarks.map((mark) => placeOfMark(mark, done, undefined))).toEqual([
    ...["done", "done", "done", "skipped", "done", "done"],
  ] as never);
});

test("a transfer that did not arrive makes the payout the current step again", () => {
  expect(findNextMark({ done: ["agreed", "paid", "held", "handedOver", "confirmed"] })).toBe("paidOut");
});
