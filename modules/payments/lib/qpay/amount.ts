/** An amount as the provider writes it: whole ₮, a fraction (left to an administrator), or unreadable. */
export type Sum = { kind: "whole"; amount: number } | { kind: "fraction" } | { kind: "unreadable" };

/** Reads `"100.00"`, `"100"` and `100`; never rounds, and accepts no other notation (signs, exponents, separators). */
export function readSum(value: unknown): Sum {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  const digits = /^(\d{1,15})(?:\.(\d{1,10}))?$/.exec(text);
  if (digits === null) return { kind: "unreadable" };
  return /[1-9]/.test(digits[2] ?? "") ? { kind: "fraction" } : { kind: "whole", amount: Number(digits[1]) };
}
