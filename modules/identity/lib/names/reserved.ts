// Ticks, seals, shields and locks: drawn beside a name they say that somebody has been checked.
const seal =
  /[\u2611\u2705\u2713\u2714\u{1f396}\u{1f3c5}\u{1f4ae}\u{1f50f}-\u{1f513}\u{1f5f8}\u{1f5f9}\u{1f6e1}]/u;

// What takes no room on the screen, but for what joins a picture's parts: names that differ by it alone look the same.
const unseen = /(?![\u200d\ufe0f\u180b-\u180d])[\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True for a name that could be taken for Midman, its staff, one of its notices, QPay, a bank, or for a seal of somebody checked. */
export function isReserved(name: string): boolean {
  if (namesMidman(name)) return true;
  const skeleton = skeletonOf(name);
  const letters = lettersOf(skeleton);
  if (wholes.has(letters) || parts.some((part) => letters.includes(part))) return true;
  return skeleton.split(/\P{L}+/u).some((word) => words.has(word));
}

/** True for a name that says Midman, however it is spelt, or bears a seal of something checked. */
export function namesMidman(name: string): boolean {
  return seal.test(name) || lettersOf(skeletonOf(name)).includes(midman);
}

/** True for a name with letters in it that nobody sees. */
export function hidesLetters(name: string): boolean {
  return unseen.test(name);
}

/**
 * Letters and digits by what they look or sound like, across Latin and Cyrillic (and the Greek of names made before it was refused);
 * one of each row stands for all. Unicode's table of confusables (UTS #39) is the source of the shapes; it knows no sounds.
 */
const alike = new Map(
  [
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

function lettersOf(skeleton: string): string {
  return skeleton.replaceAll(/\P{L}/gu, "");
}

const midman = skeletonOf("midman");

/** Refused wherever they stand in a name, however it is spaced. */
const parts = [
  ...["qpay", "купэй", "escrow", "эскроу", "khanbank", "хаанбанк", "golomtbank", "голомтбанк", "tdbank"],
  ...[
    "xacbank",
    "хасбанк",
    "statebank",
    "төрийнбанк",
    "bogdbank",
    "богдбанк",
    "capitronbank",
    "капитронбанк",
  ],
  ...["худалдаахөгжлийн", "tradeanddevelopment", "аригбанк", "arigbank", "чингисхаанбанк", "трансбанк"],
].map((part) => lettersOf(skeletonOf(part)));

/** Refused as a word of a name. */
const words = new Set(
  [
    ...["admin", "admins", "administrator", "administrators", "moderator", "mediator", "support", "helpdesk"],
    ...["payment", "payments", "notice", "notices", "system", "official", "bank", "banks", "mbank"],
    ...["админ", "администратор", "модератор", "зуучлагч", "тусламж", "төлбөр", "мэдэгдэл", "систем"],
    ...["банк", "мбанк", "төрийн", "golomt", "голомт", "tdb", "ххб", "capitron", "капитрон"],
  ].map(skeletonOf),
);

/** Refused only where a name says nothing else: they are also names and words of people. */
const wholes = new Set(
  ["khan", "хаан", "xac", "xacb", "хас", "state", "bogd", "богд"].map((name) => lettersOf(skeletonOf(name))),
);
