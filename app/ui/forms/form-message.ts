/**
 * Packs a form's message: a catalogue key, with its parameters after a question mark. Conform carries messages as plain strings, and some
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
