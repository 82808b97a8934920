/** What a member said. Text that is JSON with a `content` text shows that text alone (product-spec §3). */
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
 * An administrator's name inside a sentence of the server's (a member's is in none): it cannot close the quotes around it, turn the text round, hide, draw a
 * seal, stack marks over its neighbours, be a placeholder, or run on. What is left of it may be nothing.
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

// Signs (Latin and Mongolian quotes among them), pictures, and everything that takes no room; spaces and marks of names stay.
const unsafeNamePattern = /(?![‘’])[\p{C}\p{S}\p{Pi}\p{Pf}\p{Default_Ignorable_Code_Point}"„‚‟{}[\]<>:;!?]/gu;
