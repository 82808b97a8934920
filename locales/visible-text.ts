/**
 * Letters and signs that are drawn as nothing, although no Unicode property says so: Braille without dots, the sign for an embedded object,
 * blanks of Egyptian hieroglyphs, and a note head that is left out. A part of a character class.
 */
export const blankSigns = "\\u2800\\ufffc\\u{13441}\\u{13442}\\u{1d159}";

let visibleCharacterPattern: RegExp | undefined;

// Allow-list of drawn categories; everything else (spaces, controls, private use, unassigned) is invisible. A mark alone is invisible too.
// The emoji of a newer Unicode are Extended_Pictographic before they are signs. Made on first use: at the top of the module it would be in
// every script that imports anything of the formats.
function readVisibleCharacterPattern(): RegExp {
  visibleCharacterPattern ??= new RegExp(
    String.raw`(?![\p{Default_Ignorable_Code_Point}${blankSigns}])[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]`,
    "u",
  );
  return visibleCharacterPattern;
}

/** True for a text in which anything can be seen: a letter, digit, punctuation mark or sign that is not blank. */
export function hasVisibleText(text: string): boolean {
  return readVisibleCharacterPattern().test(text);
}
