/** Something that can be seen. */
const visibleCharacterPattern = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;
const maxEmptyLines = 2;

/** A message without its third empty line in a row and those after it: nobody pushes what they say away from their name. */
export function limitEmptyLines(text: string): string {
  let empty = 0;
  const kept = text.split("\n").filter((line) => {
    empty = visibleCharacterPattern.test(line) ? 0 : empty + 1;
    return empty <= maxEmptyLines;
  });
  return kept.join("\n");
}

const unusualCharacterPattern = /(?!\uFE0F)(?:[^\p{sc=Cyrl}\p{sc=Latn}\p{sc=Zyyy}]|\p{M})/u;

/** Whether a text may reach out of its lines: by marks stacked over its letters, or letters of a script with tall signs. */
export function mayLeaveLine(text: string): boolean {
  return unusualCharacterPattern.test(text);
}
