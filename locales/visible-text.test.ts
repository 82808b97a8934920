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

test("characters of a kind that is never drawn are not seen, in any script", () => {
  const khitanFiller = "\u{16fe4}";
  const hieroglyphs = ["\u{13430}", "\u{1343f}", "\u{13440}", "\u{13441}", "\u{13442}"];
  // What joins the letters of a script, or kills their vowel: nothing without them.
  const joiners = ["\u{2d7f}", "\u{1107f}", "\u{10a3f}", "\u{17d2}", "\u{aaf6}", "\u{1bc9d}", "\u0301\u0308"];
  const kinds = ["\u0007", "\u0085", "\u0600", "\u1680", "\u2028", "\u2029", "\u3000"];
  const unknown = ["\ue000", "\u{10fffd}", "\u0378", "\ufffe", "\ufdd0", "\ud800"];
  const all = [khitanFiller, ...hieroglyphs, ...joiners, ...kinds, ...unknown];
  expect(all.filter(hasVisibleText)).toEqual([]);
  expect(hasVisibleText(all.join(" "))).toBe(false);
});

test("a letter beside them is seen, and an emoji that this Unicode does not know yet", () => {
  expect(hasVisibleText("\u{13430}\u{13000}")).toBe(true);
  expect(hasVisibleText("\u{16fe4}a")).toBe(true);
  expect(hasVisibleText("\u{1faff}")).toBe(true);
});

test("letters, signs and emoji are seen, also with joiners and selectors", () => {
  const seen = ["a", "ө", "ᠮ\u180b", ".", "\u200fש", "❤️", "1️⃣", "👩‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "e\u0301", "\u200b₮\u200b"];
  expect(seen.filter((text) => !hasVisibleText(text))).toEqual([]);
});
