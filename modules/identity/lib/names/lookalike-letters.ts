/** The alphabet in white on black circles and squares, and as regional indicators (flags): Unicode does not map these to letters. */
const drawnAlphabetStarts = [0x1f150, 0x1f170, 0x1f1e6];
const drawnLetters = drawnAlphabetStarts.flatMap((from) =>
  [..."abcdefghijklmnopqrstuvwxyz"].map((letter, at) => [String.fromCodePoint(from + at), letter] as const),
);

/**
 * Letters and digits grouped by look or sound, across Latin and Cyrillic (and Greek, in names from before it was refused); the first of
 * each row represents all. The shapes come from Unicode's table of confusables (UTS #39); the sounds do not.
 */
const confusableRows = [
  "aаαɑᴀ4@",
  "bвβʙvѵᴠƅꞵƀɓ",
  "cсϲsѕ5$ᴄƽꜱ",
  "dдԁɗᴅδđɖ",
  "eеэєεᴇ3ёҽɛəǝꬲȝӡ",
  "fƒꬵ",
  "gгɡɢԍᶃɠǥ",
  "iиійїιıɪlӏ1|!jјłɩꙇʝɨǀ",
  "kкκᴋƙқҡ",
  "mмμᴍɱ",
  "nнпηνոɴhһңҥɲŋħʜԋᴎ",
  "oоөοσօᴏ0øɵᴑꬽ",
  "pрρrɾᴘʀƥᴩɼгꭇ",
  "qԛɋ",
  "tтτᴛŧƭ",
  "uуүυʋᴜyγʏɣưұꞟꭒўч",
  "wѡԝᴡɯ",
  "xхχҳꭓ",
  "zзᴢʐƶʒ",
];

/** Letters with a hook, tail, bar or tilde, turned ones and medieval forms, which Unicode does not decompose; in rows as above. */
const hookedRows = [
  "aɐᶏᶐⱥꬱꬰꭤɒʌᴧ",
  "bƃᴃᵬᶀꞗꝟᶌⱱⱴ",
  "cƈȼɕꜿꞓꞔȿʂᵴᶊꞅꞩꟊ",
  "dƌȡᵭᶁᶑꝺꟈᴆꝱԃꚁ",
  "eɇɘɜɝɞʚᴈᶒᶓᶔᶕɚⱸⱻꬳꬴ",
  "fᵮᶂꜰꝼꞙ",
  "gʛᵷᵹꝿꞡꟑꬶ",
  "iᴉᶖᵻᵼꟾꟷꞽꞁȷɉɟʄᴊƚȴɫɬɭʟᴌᶅⱡꝉꝇꞎꬷꬸꬹǃ",
  "kʞᶄⱪꝁꝃꝅꞣ",
  "mɰᴟᵯᶆꟺꬺʍꟽꟿꝳӎꙧ",
  "nƞȵɳᵰᶇꞑꞥꬻꬼꝴɥɦʮʯⱨꞕꜧɧӈӊԣԩ",
  "oɔᴒᴓᴐᶗⱺꝋꝍꬾꬿꭃꭄꟁ",
  "pᵱᵽᶈꝑꝓꝕɍɹɺɻɽɿʁᴙᴚᵲᵳᶉⱹꝛꞃꞧꭆꭉꭋꭌ",
  "qʠꝗꝙꞯ",
  "tƫȶʇʈᵵⱦꞇ",
  "uʉʊᴝᵾᵿᶙꞹꭎꭏƴɏʎꭚ",
  "wⱳꟃ",
  "xᶍꭖꭗꭘꭙ",
  "zȥɀʑᵶᶎⱬꝣ",
];

const lookalikeLetters = new Map(
  [...confusableRows, ...hookedRows].flatMap(([first = "", ...others]) =>
    others.map((letter) => [letter, first] as const),
  ),
);
const letterShapes = new Map([
  ...lookalikeLetters,
  ...drawnLetters.map(([sign, letter]) => [sign, lookalikeLetters.get(letter) ?? letter] as const),
]);

/** A name without case, width and marks. */
export function plainOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll("rn", "m");
}

/** The representative of characters that look like this one, in any alphabet; others stay unchanged. */
export function shapeOf(character: string): string {
  return letterShapes.get(character) ?? character;
}

/** How a name looks, with digits and signs replaced by the letters they resemble. */
export function skeletonOf(name: string): string {
  return [...plainOf(name)].map(shapeOf).join("");
}

/** Two ways to read a name: its digits and signs replace letters ("Adm1n"), or separate them ("Admin 1", "Admin!"). */
export function readingsOf(name: string): string[] {
  return [skeletonOf(name), skeletonOf(plainOf(name).replaceAll(/\P{L}/gu, " "))];
}

/** The letters of a skeleton. */
export function lettersOf(skeleton: string): string {
  return skeleton.replaceAll(/\P{L}/gu, "");
}

/**
 * The letters of a name's skeleton, with pairs that together look like one letter read as it: "nn", "nl" and "IVI" like "m", "cl" like "d".
 * For comparison with Midman's name only, since such pairs are common in other words.
 */
export function joinLookalikePairs(name: string): string {
  const joined = name
    .normalize("NFKC")
    .replaceAll(/[Nnнпη](?:[lL1|ӏ]|I(?=\p{Ll}))|[Il1|][Vv][Il1|]/gu, "m")
    .replaceAll(/[Cc](?:[lL1|ӏ]|I(?=\p{Ll}))/gu, "d");
  return lettersOf(skeletonOf(joined)).replaceAll("nn", "m");
}
