/** A catalogue text with links in it, written `[words](/path)`. */
export function LinkedText({ text }: { text: string }) {
  // The parts alternate: text, label, path.
  const parts = text.split(/\[([^\]]+)\]\((\/[^)]*)\)/);
  return parts.map((part, at) =>
    at % 3 === 1 ? (
      <a
        key={part}
        href={parts[at + 1] ?? "/"}
        className="font-semibold text-brand underline underline-offset-4"
      >
        {part}
      </a>
    ) : (
      at % 3 === 0 && part
    ),
  );
}
