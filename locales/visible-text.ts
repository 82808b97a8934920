/**
 * Letters and signs that are drawn as nothing, although no Unicode property says so: Braille without dots, the sign for an embedded object,
 * blanks of Egyptian hieroglyphs, and a note head that is left out. A part of a character class.
 */
export const blankSigns = String.raw`\u2800\ufffc\u{13441}\u{13442}\u{1d159}`;

// By what is drawn, not by a list of what is not: white space, controls, format characters, private and unassigned ones are none of these,
// and a mark is seen only with a letter. The emoji of a newer Unicode are Extended_Pictographic before they are signs.
const visibleCharacterPattern = new RegExp(
  String.raw`(?![\p{Default_Ignorable_Code_Point}${blankSigns}])[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]`,
  "u",
);

/** True for a text in which anything can be seen: a letter, digit, punctuation mark or sign that is not blank. */
export function hasVisibleText(text: string): boolean {
  return visibleCharacterPattern.test(text);
}
