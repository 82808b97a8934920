/** The scripts that names may use. Others have letters that look like these, and too few readers here would notice. */
const supportedScripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Mongolian}/u,
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u,
];
const commonScripts = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** True for a name in which a word mixes alphabets or uses an unsupported one (UTS #39, "single script"). */
export function mixesAlphabets(name: string): boolean {
  const words = name.normalize("NFC").match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => {
    const letters = [...word].filter((letter) => !commonScripts.test(letter));
    return (
      letters.length > 0 && !supportedScripts.some((script) => letters.every((letter) => script.test(letter)))
    );
  });
}

/** True for a name with a letter of an unsupported alphabet; unlike `mixesAlphabets`, it allows "PUBGийн". */
export function hasForeignLetters(name: string): boolean {
  return [...name.normalize("NFC")].some(
    (letter) =>
      /\p{L}/u.test(letter) &&
      !commonScripts.test(letter) &&
      !supportedScripts.some((script) => script.test(letter)),
  );
}

/**
 * Letters of Latin and Cyrillic that people here write names with: the alphabets of Mongolian, Kazakh, Buryat, Russian, Ukrainian and the
 * languages of Europe, apart from their accents. The other letters of these scripts, such as phonetic and medieval ones, mostly serve to
 * look like these.
 */
const writtenLetters = /^[a-zßæœøðþđħıłŋəа-яґєіїјљњћђџѕғқңөүұһәҗҙҡҫҳҷ]$/u;
const restrictedScripts = /[\p{Script=Latin}\p{Script=Cyrillic}]/u;

/** True for a name with a letter of Latin or Cyrillic that no one here writes names with. */
export function hasUnusualLetters(name: string): boolean {
  return [...name.normalize("NFKD")].some((letter) => {
    if (!/\p{L}/u.test(letter) || !restrictedScripts.test(letter)) return false;
    return !writtenLetters.test(letter.toLowerCase().normalize("NFKD").charAt(0));
  });
}
