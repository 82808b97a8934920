/**
 * Mongolian noun endings for plural, case and possession; a noun takes one to three («админ|ууд|тай|гаа»). Some do not fit every stem: such a form is
 * wrong Mongolian, but still reads as the stem.
 */
const nounEndings = [
  ...[
    "ын",
    "ийн",
    "ны",
    "ний",
    "ы",
    "ий",
    "н",
    "ыг",
    "ийг",
    "г",
    "ад",
    "эд",
    "од",
    "өд",
    "д",
    "т",
    "нд",
    "анд",
    "энд",
  ],
  ...["аас", "ээс", "оос", "өөс", "наас", "нээс", "аар", "ээр", "оор", "өөр", "тай", "тэй", "той"],
  ...[
    "руу",
    "рүү",
    "луу",
    "лүү",
    "ууд",
    "үүд",
    "нууд",
    "нүүд",
    "ч",
    "чин",
    "чид",
    "чийн",
    "аа",
    "ээ",
    "оо",
    "өө",
  ],
  ...["аасаа", "ээсээ", "даа", "дээ", "ынх", "ийнх", "ныхан", "ынхан", "ийнхэн", "ынхон", "ийнхон", "ийнхөн"],
  ...[
    "гаа",
    "гээ",
    "гоо",
    "гөө",
    "хаа",
    "хээ",
    "хоо",
    "хөө",
    "доо",
    "дөө",
    "ид",
    "төй",
    "чууд",
    "чүүд",
    "нар",
  ],
];

/** Matches a stem with one to three endings. `spell` is applied to stems and endings; apply it to the word as well. */
export function inflectionsOf(stems: readonly string[], spell: (word: string) => string): RegExp {
  const any = (words: readonly string[]) => words.map(spell).join("|");
  return new RegExp(`^(?:${any(stems)})(?:${any(nounEndings)}){1,3}$`, "u");
}
