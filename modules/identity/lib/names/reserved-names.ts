import { blankSigns } from "#format";
import { inflectionsOf } from "./inflections.ts";
import {
  joinLookalikePairs,
  lettersOf,
  plainOf,
  readingsOf,
  shapeOf,
  skeletonOf,
} from "./lookalike-letters.ts";

// Ticks, seals, shields and locks: beside a name they suggest that someone has been verified.
const sealPattern =
  /[\u00ae\u221a\u2611\u2705\u2713\u2714\u272a\u329e\u32a3\u{1f197}\u{1f530}\u{1f396}\u{1f3c5}\u{1f4ae}\u{1f50f}-\u{1f513}\u{1f5f8}\u{1f5f9}\u{1f6e1}]/u;

// Characters that change what is drawn before them: in an emoji, and in a letter of the Mongolian script.
const joinersInPlace = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|(?<=\p{Emoji})\ufe0f|(?<=\p{Script=Mongolian})[\u180b-\u180d]`;

// Characters that are not drawn: names that differ only by these look the same. Also a mark without a letter before it, U+16FE4 (Khitan
// filler) and U+13440 (hieroglyph mirror), which are neither format characters nor blank signs.
const invisiblePattern = new RegExp(
  String.raw`^\p{M}|(?!${joinersInPlace})[\p{Default_Ignorable_Code_Point}\p{Cf}${blankSigns}\u{13440}\u{16fe4}]`,
  "u",
);

/** True for a name that could be taken for Midman, its staff, one of its notices, QPay, a bank, or a seal of verification. */
export function isReserved(name: string): boolean {
  return (
    namesMidman(name) || hasReservedWord(name, isReservedWord) || readingsOf(name).some(isReservedReading)
  );
}

/** True for a name that contains a tick, a seal, a shield or a lock. */
export function containsSeal(name: string): boolean {
  return sealPattern.test(name);
}

/**
 * True for a text that could be taken for a notice of Midman: it contains Midman, notice, payment, escrow or QPay. Narrower than
 * `isReserved`, since a room may be named after an operator or a bank that appears in a game.
 */
export function soundsLikeNotice(words: string): boolean {
  if (namesMidman(words) || hasReservedWord(words, isNoticeWord)) return true;
  return includesAny(words, escrowTerms);
}

/**
 * True for what a description of goods must not say, since it is shown beside Midman's own cards: Midman, escrow or QPay, or in one clause
 * that a payment is confirmed. Narrower than `soundsLikeNotice`: a description may mention its payment.
 */
export function posesAsMidman(words: string): boolean {
  if (includesOurName(words) || includesAny(words, escrowTerms)) return true;
  return words
    .split(clauseEnd)
    .some((clause) => hasReservedWord(clause, isPaymentWord) && hasReservedWord(clause, isConfirmed));
}

const clauseEnd = /[.,;!?]\s/;

/** True for a name that contains "Midman", in any spelling, or a seal. */
function namesMidman(name: string): boolean {
  return sealPattern.test(name) || includesOurName(name);
}

function includesOurName(words: string): boolean {
  return [...readingsOf(words).map(lettersOf), joinLookalikePairs(words)].some((letters) =>
    ourNames.some((own) => letters.includes(own) || squeezeDoubles(letters).includes(squeezeDoubles(own))),
  );
}

function includesAny(words: string, terms: readonly string[]): boolean {
  return readingsOf(words).some((reading) => terms.some((term) => lettersOf(reading).includes(term)));
}

/** Counts doubled letters once ("Миддман"). */
function squeezeDoubles(letters: string): string {
  return letters.replaceAll(/(.)\1+/gu, "$1");
}

/** True for a name that contains invisible letters. */
export function hidesLetters(name: string): boolean {
  return invisiblePattern.test(name);
}

function isReservedReading(reading: string): boolean {
  const letters = lettersOf(reading);
  if (reservedWholeNames.has(letters) || isReservedWord(letters)) return true;
  if (reservedSubstrings.some((part) => letters.includes(part))) return true;
  // "A d m i n", also next to other words.
  return (reading.match(singleLetters) ?? []).some((spaced) => {
    const spelled = lettersOf(spaced);
    return [...reservedWords].some((word) => spelled.includes(word));
  });
}

export const singleLetters = /(?<!\p{L})\p{L}(?:\P{L}+\p{L}(?!\p{L}))+/gu;

/**
 * True if a reserved word has no letters next to it, or starts with a capital after small letters ("PaymentReceived"). A digit or sign at
 * its edge may or may not be part of it ("$upport!").
 */
function hasReservedWord(name: string, isReservedAs: (word: string) => boolean): boolean {
  const parted = name.normalize("NFKC").replaceAll(wordStartPattern, " ");
  return [name, parted].some((written) => hasWord(written, isReservedAs));
}

/** Where a word begins within letters that run together: "tR" in "PaymentReceived", "KSu" in "BANKSupport". */
export const wordStartPattern = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

function hasWord(name: string, isReservedAs: (word: string) => boolean): boolean {
  const characters = [...plainOf(name)];
  const shapes = characters.map(shapeOf);
  const isBoundary = (at: number) => !/\p{L}/u.test(characters[at] ?? "");
  return shapes.some((_, from) => {
    if (!isBoundary(from - 1)) return false;
    for (let to = from + 1; to <= shapes.length && to - from <= longestWord; to++) {
      if (isBoundary(to) && isReservedAs(shapes.slice(from, to).join(""))) return true;
    }
    return false;
  });
}

/** "Midman", and how it is pronounced in Mongolian. */
const ourNames = ["midman", "мидмэн", "middleman"].map((own) => lettersOf(skeletonOf(own)));

/** Refused anywhere in a name, with any spacing. */
const reservedSubstrings = [
  ...[
    "qpay",
    "купэй",
    "кюпэй",
    "кьюпэй",
    "escrow",
    "эскроу",
    "khanbank",
    "хаанбанк",
    "golomtbank",
    "голомтбанк",
    "tdbank",
  ],
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
  ...["харилцагчийнүйлчилгээ", "хэрэглэгчийнүйлчилгээ", "үйлчилгээнийтөв", "customerservice", "customercare"],
  ...[
    "дэмжлэгийнбаг",
    "шийдвэрлэхбаг",
    "аюулгүйбайдлын",
    "дундынхүн",
    "disputeteam",
    "securityteam",
    "safetyteam",
  ],
  ...["худалдаахөгжлийн", "tradeanddevelopment", "аригбанк", "arigbank", "чингисхаанбанк", "трансбанк"],
].map((part) => lettersOf(skeletonOf(part)));

/** Refused as a word of a name, with or without Mongolian endings. */
const mongolianStems = [
  ...["админ", "администратор", "модератор", "зуучлагч", "тусламж", "төлбөр", "мэдэгдэл", "систем"],
  ...["банк", "мбанк", "ажилтан", "оператор"],
];

/** Refused as a word of a name, also in the plural. */
const englishWords = [
  ...["admin", "administrator", "administration", "moderator", "mediator", "support", "helpdesk", "staff"],
  ...["operator", "payment", "notice", "system", "official", "bank", "mbank"],
];

/** Refused as a word of a name. */
const reservedWords = new Set(
  [
    ...englishWords.flatMap((word) => [word, `${word}s`]),
    ...["verified", "certified", "баталгаажсан", "баталгаат"],
    ...["төрийн", "golomt", "голомт", "tdb", "ххб", "capitron", "капитрон"],
    ...mongolianStems,
  ].map(skeletonOf),
);

/** Stems that drop a vowel before an ending («мэдэгдлийн», «ажилтнууд»). */
const contractedNotice = "мэдэгдл";
const contractedStems = [contractedNotice, "ажилтн"];
const inflectedStem = inflectionsOf([...mongolianStems, ...contractedStems], skeletonOf);

function isReservedWord(word: string): boolean {
  return reservedWords.has(word) || inflectedStem.test(word);
}

const noticeStems = ["мэдэгдэл", "төлбөр"];
const noticeWords = new Set(["notice", "notices", "payment", "payments", ...noticeStems].map(skeletonOf));
const inflectedNotice = inflectionsOf([...noticeStems, contractedNotice], skeletonOf);

function isNoticeWord(word: string): boolean {
  return noticeWords.has(word) || inflectedNotice.test(word);
}

const paymentStems = ["төлбөр", "мөнгө"];
const paymentWords = new Set(
  ["payment", "payments", "paid", "money", "төлсөн", ...paymentStems].map(skeletonOf),
);
// «мөнгө» drops its vowel before an ending («мөнгийг»).
const inflectedPayment = inflectionsOf([...paymentStems, "мөнг"], skeletonOf);

function isPaymentWord(word: string): boolean {
  return paymentWords.has(word) || inflectedPayment.test(word);
}

/** "Confirmed" in every form of either language. */
const confirmationStems = ["confirm", "баталгааж"].map(skeletonOf);

function isConfirmed(word: string): boolean {
  return confirmationStems.some((stem) => word.startsWith(stem));
}

/** Terms for the service of Midman and its payment provider; refused anywhere in a room's name. */
const escrowTerms = ["qpay", "купэй", "кюпэй", "кьюпэй", "escrow", "эскроу"].map((part) =>
  lettersOf(skeletonOf(part)),
);

/** Letters allowed for the endings of a stem. */
const endingLetters = 12;
const longestWord = Math.max(...[...reservedWords].map(({ length }) => length)) + endingLetters;

/** Refused only as a whole name: they are also people's names and ordinary words. */
const reservedWholeNames = new Set(
  ["khan", "хаан", "xac", "xacb", "хас", "state", "bogd", "богд"].map((name) => lettersOf(skeletonOf(name))),
);
