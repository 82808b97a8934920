/** A member's text. If it is JSON with a string `content`, only that string. */
export function unwrapContent(text: string): string {
  return parseWrappedContent(text) ?? text;
}

function parseWrappedContent(text: string): string | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const { content } = JSON.parse(text) as { content?: unknown };
    return typeof content === "string" ? content : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Cleans an administrator's name for use inside a server notice (members' names are never used there): it cannot close the surrounding
 * quotes, reverse the text, hide, show a seal, stack marks over its neighbours, be a placeholder, or be too long. The result may be empty.
 */
export function nameInNotice(displayName: string): string {
  return [
    ...displayName
      .normalize("NFC")
      .replace(unsafeNamePattern, "")
      .replace(/(\p{M}{2})\p{M}+/gu, "$1"),
  ]
    .slice(0, longestName)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

const longestName = 40;

// Symbols (including Latin and Mongolian quotes), emoji, and characters without width; spaces and combining marks of names stay.
const unsafeNamePattern = /(?![‘’])[\p{C}\p{S}\p{Pi}\p{Pf}\p{Default_Ignorable_Code_Point}"„‚‟{}[\]<>:;!?]/gu;
