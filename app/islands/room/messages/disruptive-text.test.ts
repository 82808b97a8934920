import { expect, test } from "bun:test";
import { limitEmptyLines, mayLeaveLine } from "./disruptive-text.ts";

test("at most two empty lines follow each other, whatever invisible characters they contain", () => {
  expect(limitEmptyLines(`a${"\n".repeat(200)}b`)).toBe("a\n\n\nb");
  expect(limitEmptyLines(`a${"\n\u200b \u3164\u2800".repeat(50)}\nb`).split("\n").length).toBe(4);
  expect(limitEmptyLines("\n\n\n\nb\n\n\n\n")).toBe("\n\nb\n\n");
});

test("text with fewer empty lines stays unchanged", () => {
  for (const text of ["a", "a\n\nb\n\n\nc", " indented\n\tand so on", ""])
    expect(limitEmptyLines(text)).toBe(text);
});

test.each([
  ["plain", "Сайн байна уу? Дансаа илгээе: 1,500,000 ₮ 👍🏽 ❤️ — ok_2", false],
  ["marks over a letter", "Z\u0300\u0301\u0302algo", true],
  ["marks that are letters", "к\u2de0\u2de1", true],
  ["marks held apart", "a\u0301\u200d\u0301", true],
  ["one wide sign", "\ufdfd", true],
  ["tall signs", "\u{12031}", true],
])("%s stays within its lines or does not", (_, text, reaches) => {
  expect(mayLeaveLine(text)).toBe(reaches);
});
