import { expect, test } from "bun:test";
import { calm } from "./calm.ts";

test("empty lines are two in a row at most, whatever invisible stands in them", () => {
  expect(calm(`a${"\n".repeat(200)}b`)).toBe("a\n\n\nb");
  expect(calm(`a${"\n\u200b \u3164\u2800".repeat(50)}\nb`).split("\n").length).toBe(4);
  expect(calm("\n\n\n\nb\n\n\n\n")).toBe("\n\nb\n\n");
});

test("what has no more than that stays as it was written", () => {
  for (const text of ["a", "a\n\nb\n\n\nc", " indented\n\tand so on", ""]) expect(calm(text)).toBe(text);
});
