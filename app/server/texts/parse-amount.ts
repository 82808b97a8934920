/** Digits only, or groups of three with one separator throughout: a comma, any kind of space, an apostrophe. */
const wholeNumberPattern = /^(?:\d+|\d{1,3}(?:([,'’ \u00a0\u2009\u202f])\d{3})(?:\1\d{3})*)$/;

/**
 * Parses a whole number as people write amounts, also with a copied ₮; NaN for anything else. A point, or a comma that does not separate
 * thousands, is refused, because "100.000" would otherwise be a hundred; so are digits of other scripts and notations that only programs
 * use ("1e5", "0x10").
 */
export function parseAmount(text: string): number {
  const bare = text.replace(/₮\s*$/, "").trim();
  return wholeNumberPattern.test(bare) ? Number(bare.replace(/\D/g, "")) : Number.NaN;
}
