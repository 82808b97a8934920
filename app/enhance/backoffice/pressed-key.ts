const latinKeysByCode: Record<string, string> = { KeyJ: "j", KeyK: "k", Slash: "/" };

/**
 * Returns the pressed key. A Latin character is returned as typed, in lower case without Shift. On a keyboard layout without Latin letters
 * (Cyrillic) it is the Latin key in the same position. Returns "" while an input method composes a word.
 */
export function pressedKey({ key, code, shiftKey, isComposing }: KeyboardEvent): string {
  if (isComposing || key === "Process") return "";
  if (/^[ -~]$/.test(key)) return shiftKey ? key : key.toLowerCase();
  if (shiftKey) return code === "Slash" ? "?" : "";
  return latinKeysByCode[code] ?? "";
}
