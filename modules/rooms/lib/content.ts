/** What a member said. Text that is JSON with a `content` text shows that text alone (product-spec §3). */
export function spoken(text: string): string {
  return wrapped(text) ?? text;
}

function wrapped(text: string): string | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const { content } = JSON.parse(text) as { content?: unknown };
    return typeof content === "string" ? content : undefined;
  } catch {
    return undefined;
  }
}

/** A person's name inside a sentence of the server's: no control or direction marks, and not a sentence itself. */
export function nameInNotice(displayName: string): string {
  return displayName
    .replace(/[\p{C}“”"]/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 40);
}
