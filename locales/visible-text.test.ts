import { expect, test } from "bun:test";
import { hasVisibleText } from "./visible-text.ts";

test("a text of blank and invisible characters has nothing that can be seen", () => {
  const blank = [
    "",
    " \n\t\u00a0",
    "\u200b",
    "\u200c\u200d\u2060\ufeff",
    "\u200e\u200f\u061c\u202e\u2066\u2069",
  ];
  const fillers = ["\u3164", "\uffa0", "\u115f\u1160", "\u2800", "\ufe0f", "\u{e0100}", "\u{e0041}\u{e007f}"];
  const odd = ["\u00ad", "\u034f", "\u17b4", "\u180e", "\ufff9\ufffb", "\ufffc", "\u{1d159}", "\u{1d173}"];
  expect([...blank, ...fillers, ...odd].filter(hasVisibleText)).toEqual([]);
});

test("letters, signs and emoji are seen, also with joiners and selectors", () => {
  const seen = ["a", "ө", "ᠮ\u180b", ".", "\u200fש", "❤️", "1️⃣", "👩‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "e\u0301", "\u200b₮\u200b"];
  expect(seen.filter((text) => !hasVisibleText(text))).toEqual([]);
});
