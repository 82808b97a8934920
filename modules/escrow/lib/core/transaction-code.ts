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

// Characters that a Cyrillic keyboard types in place of Latin letters and digits. Codes contain no I, L or O, so those stand for digits.
const lookalikeCharacters: Readonly<Record<string, string>> = {
  ...{ А: "A", В: "B", Е: "E", К: "K", М: "M", Н: "H", Р: "P", С: "C", Т: "T", У: "Y", Х: "X" },
  ...{ З: "3", О: "0", O: "0", I: "1", L: "1" },
};

/** A transaction code in its stored form, whatever its case, spaces and look-alike letters. Undefined if the text is not a code. */
export function readTransactionCode(given: string): string | undefined {
  const plain = [...given.normalize("NFKC").toUpperCase()]
    .map((letter) => lookalikeCharacters[letter] ?? letter)
    .join("");
  const code = /^(?:MM)?([0-9A-HJKMNP-TV-Z]{8})$/.exec(plain.replace(/[\s\p{Pd}]/gu, ""))?.[1];
  return code === undefined ? undefined : `MM-${code}`;
}
