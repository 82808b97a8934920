/** Crockford's base 32: no letter is taken for a digit. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A transaction code people can read to each other, not to be guessed from the one before: 40 random bits. */
export function newCode(bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(8))): string {
  return `MM-${[...bytes].map((byte) => alphabet[byte % 32]).join("")}`;
}
