/** Crockford's base 32: no letter can be mistaken for a digit. */
const codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Generates the code of a transaction (MM), or the number of a support request (SR) or a report (RP). It can be read aloud, and its 40
 * random bits cannot be guessed from another code.
 */
export function newCode(kind: "MM" | "SR" | "RP" = "MM"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `${kind}-${[...bytes].map((byte) => codeAlphabet[byte % 32]).join("")}`;
}
