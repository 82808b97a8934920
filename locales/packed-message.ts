/**
 * Packs a message: a catalogue key, with its parameters after a question mark. Zod and Conform carry messages as plain strings, and some
 * texts need a number.
 */
export function packMessage(key: string, params: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? key : `${key}?${new URLSearchParams(given)}`;
}

/** Returns the key and the parameters of a packed message. */
export function unpackMessage(message: string): { key: string; params: Record<string, string> } {
  const [key = "", query = ""] = message.split("?", 2);
  return { key, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** The packed message for a number outside a range: it names both ends. */
export function rangeMessage(min: number, max: number): string {
  return packMessage("validation.range", { min, max });
}

/** The packed message for an amount above the limit `max`, in tugrik. */
export function mostMoneyMessage(max: number): string {
  return packMessage("validation.amountMost", { max });
}

/** Zod's options of a text field: `missing`, but for a number another message, because the field is not missing. */
export function textIssue(missing: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => (typeof input === "number" ? "validation.text" : missing) };
}
