const latinKeysByCode: Record<string, string> = { KeyJ: "j", KeyK: "k", Slash: "/" };

/**
 * The key that was pressed, whatever else was held down: Latin letters as they are written, small; where the keyboard writes none
 * (Cyrillic), what stands in the same place of a Latin one. Nothing while a word is being composed.
 */
export function pressedKey({ key, code, shiftKey, isComposing }: KeyboardEvent): string {
  if (isComposing || key === "Process") return "";
  if (/^[ -~]$/.test(key)) return shiftKey ? key : key.toLowerCase();
  if (shiftKey) return code === "Slash" ? "?" : "";
  return latinKeysByCode[code] ?? "";
}
