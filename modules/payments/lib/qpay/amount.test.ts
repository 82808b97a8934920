import { expect, test } from "bun:test";
import { readSum } from "./amount.ts";

test.each([
  ["100.00", { kind: "whole", amount: 100 }],
  ["100", { kind: "whole", amount: 100 }],
  [100, { kind: "whole", amount: 100 }],
  [" 55000.0 ", { kind: "whole", amount: 55_000 }],
  ["999999999999999", { kind: "whole", amount: 999_999_999_999_999 }],
  ["100.50", { kind: "fraction" }],
  [100.5, { kind: "fraction" }],
  ["0.01", { kind: "fraction" }],
  ["-5", { kind: "unreadable" }],
  ["1e3", { kind: "unreadable" }],
  ["1,000", { kind: "unreadable" }],
  ["", { kind: "unreadable" }],
  [null, { kind: "unreadable" }],
  [Number.NaN, { kind: "unreadable" }],
  [1e21, { kind: "unreadable" }],
])("the amount %p is read as %p", (value, sum) => {
  expect(readSum(value)).toEqual(sum as ReturnType<typeof readSum>);
});
