/**
 * The endings that a Mongolian noun takes: of plural, case and possession, one or two in a row («админ|ууд|аас»). A few that no such
 * stem takes are among them; a stem with one of them reads as the stem all the same.
 */
const endings = [
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
  ...["аасаа", "ээсээ", "даа", "дээ", "ынх", "ийнх", "ныхан", "ынхан", "ийнхэн"],
];

/** A test for words that are one of these stems with endings, all of them spelt as `spell` spells. */
export function inflectionsOf(stems: readonly string[], spell: (word: string) => string): RegExp {
  const any = (words: readonly string[]) => words.map(spell).join("|");
  return new RegExp(`^(?:${any(stems)})(?:${any(endings)}){1,2}$`, "u");
}
