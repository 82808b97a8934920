/** Digits only, or groups of three with one separator throughout: a point, a comma, any kind of space, an apostrophe. */
const wholePattern = /^(?:\d+|[1-9]\d{0,2}(?:([.,'’ \u00a0\u2009\u202f])\d{3})(?:\1\d{3})*)$/;
/** As banks print an amount on a statement: "150,000.00". */
const printedPattern = /^[1-9]\d{0,2}(?:,\d{3})+\.00$/;
/** A number of thousands or millions, with one or two decimals at most: three would be a group of thousands. */
const countedPattern = /^(\d+)(?:[.,](\d{1,2}))?[ \u00a0\u2009\u202f]?(\p{L}+)$/u;
const currencyPattern = /^₮\s?|\s?(?:₮|төгрөг|төг|MNT)$/giu;

/**
 * The words for a thousand and a million that have one meaning. "м" and "m" are no such words: they are read as мянга (a thousand) and as
 * a million.
 */
const zerosByUnit = new Map(
  [
    { zeros: 3, words: ["k", "к", "мянга", "мянган", "myanga", "thousand"] },
    { zeros: 6, words: ["сая", "saya", "million"] },
  ].flatMap(({ zeros, words }) => words.map((word) => [word, zeros] as const)),
);

/**
 * Parses a whole amount of tugrik as people in Mongolia write it: "150000", "150,000", "150.000", "150 мянга", "1.5 сая", also with the
 * currency. Returns NaN for anything else, in particular for whatever can be read in two ways: a point or a comma that separates neither
 * thousands nor a part of a million ("1.5", "1,50"), mixed separators, three decimals before a unit ("1.500 сая"). Digits of other scripts
 * and notations that only programs use ("1e5", "0x10") are refused too.
 */
export function parseAmount(text: string): number {
  const bare = text.trim().replace(currencyPattern, "");
  if (wholePattern.test(bare)) return Number(bare.replace(/\D/g, ""));
  if (printedPattern.test(bare)) return Number(bare.slice(0, -3).replaceAll(",", ""));
  const [, whole = "", decimals = "", unit = ""] = countedPattern.exec(bare) ?? [];
  const zeros = zerosByUnit.get(unit.toLowerCase());
  return zeros === undefined ? Number.NaN : Number(whole + decimals.padEnd(zeros, "0"));
}
