/** Digits alone, or in threes with one and the same mark between them: a comma, a space of some width, an apostrophe. */
const wholeNumberPattern = /^(?:\d+|\d{1,3}(?:([,'’ \u00a0\u2009\u202f])\d{3})(?:\1\d{3})*)$/;

/**
 * A whole number as people write sums, also with the ₮ they copied along; NaN for anything else. A point or a comma that
 * parts no thousands is refused, for "100.000" would else be a hundred; so are other alphabets' digits and what only
 * programs write ("1e5", "0x10").
 */
export function parseAmount(text: string): number {
  const bare = text.replace(/₮\s*$/, "").trim();
  return wholeNumberPattern.test(bare) ? Number(bare.replace(/\D/g, "")) : Number.NaN;
}
