/** Crockford's base 32: no letter is taken for a digit. */
const codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The code of a transaction (MM), or the number of a request for support (SR) or of a report (RP): people can read it to each other, and it is
 * not to be guessed from the one before, having 40 random bits.
 */
export function newCode(kind: "MM" | "SR" | "RP" = "MM"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `${kind}-${[...bytes].map((byte) => codeAlphabet[byte % 32]).join("")}`;
}
