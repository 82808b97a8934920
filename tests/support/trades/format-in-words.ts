/** A value in words, for lines that a person reads; `leaf` says what it has its own word for. What is undefined is left out. */
export function formatInWords(value: unknown, leaf: (one: unknown) => string | undefined): string {
  const own = leaf(value);
  if (own !== undefined) return own;
  const said = (one: unknown) => formatInWords(one, leaf);
  if (Array.isArray(value)) return `[${value.map(said).join(", ")}]`;
  if (value === null || typeof value !== "object") return String(value);
  const parts = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${parts.map(([key, one]) => `${key} ${said(one)}`).join(", ")}}`;
}
