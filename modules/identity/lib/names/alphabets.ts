/** The scripts that names are written in here. Any other has letters that look like these, and too few readers to notice. */
const supportedScripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Mongolian}/u,
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u,
];
const commonScripts = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** True for a name with a word of letters of several alphabets, or of one that nobody here reads (UTS #39, "single script"). */
export function mixesAlphabets(name: string): boolean {
  const words = name.normalize("NFC").match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => {
    const letters = [...word].filter((letter) => !commonScripts.test(letter));
    return (
      letters.length > 0 && !supportedScripts.some((script) => letters.every((letter) => script.test(letter)))
    );
  });
}

/** True for a name with a letter of an alphabet that nobody here reads, where "PUBGийн" may stand. */
export function hasForeignLetters(name: string): boolean {
  return [...name.normalize("NFC")].some(
    (letter) =>
      /\p{L}/u.test(letter) &&
      !commonScripts.test(letter) &&
      !supportedScripts.some((script) => script.test(letter)),
  );
}
