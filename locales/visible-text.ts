/** A visible character. The blank ones besides white space: Braille without dots, marks of annotations, a note head that is not drawn. */
const visibleCharacterPattern = /[^\s\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc\u{1d159}]/u;

/** True for a text in which anything can be seen: not only white space, joiners, direction marks, variation selectors or tags. */
export function hasVisibleText(text: string): boolean {
  return visibleCharacterPattern.test(text);
}
