const htmlEntities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** What a person sees or hears of a page: its text, title and description, and the attributes that are read out. */
export function visibleText(html: string): string {
  const body = html.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, " ").replaceAll(/<!--[\s\S]*?-->/g, "");
  const spoken = /\s(?:aria-label|title|alt|placeholder|content|aria-description)=(?:"([^"]*)"|'([^']*)')/g;
  const attributes = [...body.matchAll(spoken)].map(([, double, single]) => double ?? single ?? "");
  const text = body.replaceAll(/<[^>]*>/g, "\n");
  return [text, ...attributes]
    .join("\n")
    .replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
      name === undefined
        ? String.fromCodePoint(Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16))
        : (htmlEntities[name] ?? whole),
    )
    .replaceAll(/[^\S\n]+/g, " ");
}
