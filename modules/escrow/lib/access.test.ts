import { expect, test } from "bun:test";
import { isId, sideOf } from "./access.ts";

test("a number that a row may have is whole, above nothing and exact", () => {
  const given = [1, Number.MAX_SAFE_INTEGER, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];
  expect(given.map(isId)).toEqual([true, true, false, false, false, false, false, false]);
});

test("a person stands on the side that is theirs, and a third on none", () => {
  const trade = { buyerId: 1, sellerId: 2 };
  expect([1, 2, 3].map((userId) => sideOf(trade, userId))).toEqual(["buyer", "seller", undefined]);
});
