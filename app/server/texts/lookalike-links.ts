/** Names that a fraudster may imitate: Midman's own, those of Mongolian banks and of their payment services. */
const midmanNames = ["midman"];
const bankNames = [
  "khanbank",
  "khaanbank",
  "haanbank",
  "golomt",
  "xacbank",
  "khasbank",
  "hasbank",
  "statebank",
  "turiinbank",
  "capitron",
  "kapitron",
  "bogdbank",
  "arigbank",
  "chinggiskhaan",
  "ckbank",
  "nibank",
  "creditbank",
  "transbank",
  "qpay",
  "socialpay",
  "monpay",
  "mostmoney",
  "storepay",
];
/** Too short to be searched for inside other words. */
const shortBankNames = ["tdb", "tdbm", "mbank", "hipay"];

/** Letters and digits that look nearly like a Latin letter, each with that letter. */
const visualLookalikes: Record<string, string> = parseLetterPairs(
  "аa вb сc ԁd еe ғf һh іi ӏl ӀI јj кk мm нh оo рp ԛq ѕs тt ѵv ԝw хx уy үy ӽx өo αa βb εe ηn ιi κk νv οo ρp τt υu χx ıi ɡg ɩi ℓl",
);
/** Cyrillic letters in Latin transliteration. */
const cyrillicTransliteration: Record<string, string> = parseLetterPairs(
  "аa бb вv гg дd еe ёyo жj зz иi йi кk лl мm нn оo өu пp рr сs тt уu үu фf хkh цts чch шsh щsh ъ ыi ь эe юyu яya",
);

/** True if a host contains Midman's name, or one that is easily mistaken for it. */
export function looksLikeMidman(host: string, own: string): boolean {
  const names = [...midmanNames, ...own.split(".").filter((label) => label.length > 4)];
  return readingsOf(host).some((label) => names.some((name) => carriesName(label, name)));
}

/** True if a host contains the name of a Mongolian bank or payment service, or one very similar. */
export function looksLikeBank(host: string): boolean {
  return readingsOf(host).some(
    (label) =>
      shortBankNames.some((name) => skeletonOf(name) === label) ||
      bankNames.some((name) => carriesName(label, name)),
  );
}

const scriptPatterns = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Hebrew",
  "Arabic",
  "Cherokee",
  "Mongolian",
].map((name) => new RegExp(`\\p{Script=${name}}`, "u"));

/**
 * True if one part of a host (in Unicode) mixes scripts, or is not ASCII yet made only of letters that look Latin: no honest name is
 * written like that.
 */
export function hasLookalikeLetters(host: string): boolean {
  return host.split(".").some((label) => {
    const mixed = scriptPatterns.filter((script) => script.test(label)).length > 1;
    return mixed || (/\P{ASCII}/u.test(label) && /^[a-z0-9-]+$/.test(replaceIdenticalGlyphs(label)));
  });
}

/** Replaces identical glyphs only; the difference between "н" and "h" is visible to everyone. */
function replaceIdenticalGlyphs(label: string): string {
  const same = parseLetterPairs("аa сc ԁd еe һh іi ӏl јj оo рp ԛq ѕs ԝw хx уy үy αa νv οo ρp ıi ɡg");
  return mapLetters(label, same);
}

/** Each part of a host in its possible readings: by the look of its letters, and by their sound. */
function readingsOf(host: string): string[] {
  return host
    .split(".")
    .flatMap((label) => [
      skeletonOf(mapLetters(label, visualLookalikes)),
      skeletonOf(mapLetters(label, cyrillicTransliteration)),
    ]);
}

/** Reduces a name so that easily confused characters become the same. */
function skeletonOf(name: string): string {
  return name
    .replaceAll("-", "")
    .replace(/[l1|]/g, "i")
    .replaceAll("0", "o")
    .replaceAll("3", "e")
    .replaceAll("4", "a")
    .replaceAll("5", "s")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}

function carriesName(label: string, name: string): boolean {
  const bone = skeletonOf(name);
  return label.includes(bone) || (bone.length > 5 && isWithinOneEdit(label, bone));
}

/** True if one insertion, deletion, substitution or swap of neighbouring letters turns one into the other. */
function isWithinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return (
    (restA.length < 2 && restB.length < 2) || (restA.length === 2 && restA === [...restB].reverse().join(""))
  );
}

function mapLetters(text: string, letters: Record<string, string>): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return [...plain].map((letter) => letters[letter] ?? letter).join("");
}

function parseLetterPairs(list: string): Record<string, string> {
  return Object.fromEntries(list.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)]));
}
