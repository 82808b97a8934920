// Ticks, seals, shields and locks: drawn beside a name they say that somebody has been checked.
const seal =
  /[\u2611\u2705\u2713\u2714\u{1f396}\u{1f3c5}\u{1f4ae}\u{1f50f}-\u{1f513}\u{1f5f8}\u{1f5f9}\u{1f6e1}]/u;

// What takes no room on the screen, but for what joins a picture's parts: names that differ by it alone look the same.
const unseen = /(?![\u200d\ufe0f\u180b-\u180d])[\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True for a name that could be taken for Midman, its office, one of its notices, or for a seal of somebody checked. */
export function isReserved(name: string): boolean {
  if (namesMidman(name)) return true;
  return skeletonOf(name)
    .split(/\P{L}+/u)
    .some((word) => words.has(word));
}

/** True for a name that says Midman, however it is spelt, or bears a seal of something checked. */
export function namesMidman(name: string): boolean {
  return seal.test(name) || skeletonOf(name).replaceAll(/\P{L}/gu, "").includes(midman);
}

/** True for a name with letters in it that nobody sees. */
export function hidesLetters(name: string): boolean {
  return unseen.test(name);
}

/** Letters and digits by what they look or sound like, across Latin, Cyrillic and Greek; one of each row stands for all. */
const alike = new Map(
  [
    "aаαɑᴀ4@",
    "bвβʙv",
    "cсϲsѕ5$",
    "dдԁɗᴅδ",
    "eеэєεᴇ3ё",
    "iиійїιıɪlӏ1|!jј",
    "kкκᴋ",
    "mмμᴍ",
    "nнпηνոɴhһ",
    "oоөοσօᴏ0",
    "pрρrɾᴘʀ",
    "tтτᴛ",
    "uуүυʋᴜyγ",
    "xхχ",
    "zз",
    "gгɡɢ",
  ].flatMap(([first = "", ...others]) => others.map((letter) => [letter, first] as const)),
);

/** How a name looks, whatever its alphabet, width, case and marks; what is no letter stays as it is. */
function skeletonOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll("rn", "m");
  return [...plain].map((letter) => alike.get(letter) ?? letter).join("");
}

const midman = skeletonOf("midman");
const words = new Set(
  [
    ...["admin", "administrator", "moderator", "mediator", "support", "payment", "notice"],
    ...["админ", "администратор", "модератор", "зуучлагч", "тусламж", "төлбөр", "мэдэгдэл"],
  ].map(skeletonOf),
);
