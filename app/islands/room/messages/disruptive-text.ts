import { hasVisibleText } from "#format";

const maxEmptyLines = 2;

/** Removes empty lines beyond two in a row, so that nobody can push a message away from the sender's name. */
export function limitEmptyLines(text: string): string {
  let empty = 0;
  const kept = text.split("\n").filter((line) => {
    empty = hasVisibleText(line) ? 0 : empty + 1;
    return empty <= maxEmptyLines;
  });
  return kept.join("\n");
}

const unusualCharacterPattern = /(?!\uFE0F)(?:[^\p{sc=Cyrl}\p{sc=Latn}\p{sc=Zyyy}]|\p{M})/u;

/** Whether a text may extend beyond its lines: by combining marks stacked over letters, or by scripts with tall characters. */
export function mayLeaveLine(text: string): boolean {
  return unusualCharacterPattern.test(text);
}
