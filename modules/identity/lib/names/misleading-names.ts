import { inflectionsOf } from "./inflections.ts";
import { lettersOf, plainOf } from "./lookalike-letters.ts";
import { singleLetters, wordStartPattern } from "./reserved-names.ts";

/**
 * True for a display name that says what only a notice says: an amount, a sentence, a word for money or its state, or a role as the whole
 * name. The reader of a notice sees it right below Midman's own words.
 */
export function readsLikeNotice(name: string): boolean {
  const written = name.normalize("NFKC");
  if (amountPatterns.some((pattern) => pattern.test(written)) || hasSentence(written)) return true;
  const parted = written.replaceAll(wordStartPattern, " ");
  const spellings = [...new Set([written, parted])].flatMap(spellingsOf);
  return spellings.some((spelling) => wholeNames.has(lettersOf(spelling)) || saysNotice(wordsOf(spelling)));
}

const amountPatterns = [
  /\p{Sc}/u,
  /\d\s*(?:mnt|usd|eur|төг|төгрөг\p{L}*|tug|t[uo]gr[ui]g|мянг\p{L}*|сая)(?!\p{L})/iu,
  /(?<!\p{L})(?:mnt|usd|eur|төг|төгрөг)\s*\d/iu,
  // "мянган төг": an amount in words.
  /(?<!\p{L})(?:мянга|мянган|сая)\s+төг/iu,
  /(?<!\d)\d{1,3}(?:[.,'’\s]\d{3})+(?!\d)/u,
];

/** True if another word follows the end of a sentence or a colon. A full stop may also follow an initial or a title ("Б. Бат", "Mr. Bat"). */
function hasSentence(name: string): boolean {
  if (/\p{L}\p{M}*[!?:;…。]+\s+[^\s\p{L}]*\p{L}/u.test(name) || /[。]\s*\p{L}/u.test(name)) return true;
  const ends = name.matchAll(/(?<word>[\p{L}\p{M}\p{N}]+)\.+\s+[^\s\p{L}]*\p{L}{2}/gu);
  return [...ends].some(({ groups }) => {
    const word = (groups?.word ?? "").toLowerCase();
    return shortSentences.has(word) || (/^\p{L}{3,}/u.test(word) && !titles.has(word));
  });
}

const titles = new Set(["mrs", "prof", "проф", "sgt", "capt", "col"]);
const shortSentences = new Set(["ok", "ок", "no", "go", "за"]);

/** A name in plain letters, with its digits and signs as they are or as the letters that they replace ("rece1ved"). */
function spellingsOf(name: string): string[] {
  const plain = plainOf(name);
  return [plain, ...digitLetters.map((letters) => replaceDigits(plain, letters))];
}

/** The words of a name, also those with separated letters ("h e l d"). */
function wordsOf(spelling: string): string[] {
  return [...(spelling.match(/\p{L}+/gu) ?? []), ...(spelling.match(singleLetters) ?? []).map(lettersOf)];
}

const digitLetters: ReadonlyArray<Record<string, string>> = [
  { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", "@": "a", "!": "i", "|": "l" },
  { 0: "o", 1: "l", 3: "e", 4: "a", 5: "s", "@": "a", "|": "i" },
  { 0: "о", 3: "з", 4: "ч", 6: "б" },
];

const replaceDigits = (plain: string, letters: Record<string, string>) =>
  [...plain].map((sign) => letters[sign] ?? sign).join("");

function saysNotice(words: string[]): boolean {
  if (words.some((word) => duties.has(word)) && words.some((word) => offices.has(word))) return true;
  const phrase = words.join(" ");
  return words.some(isNoticeWord) || phrasePatterns.some((pattern) => pattern.test(phrase));
}

function isNoticeWord(word: string): boolean {
  return (
    noticeWords.has(word) ||
    noticeParts.some((part) => word.includes(part)) ||
    inflectedNouns.test(word) ||
    stateStems.some((stem) => word.startsWith(stem))
  );
}

const plainSet = (words: readonly string[]) => new Set(words.map(plainOf));

/** Refused as a word of a name; a longer word that contains one ("Мөнгөнцэцэг", "Moneyman") is not. */
const noticeWords = plainSet([
  ...["money", "monies", "funds", "paid", "unpaid", "prepaid", "payout", "payouts", "invoice", "receipt"],
  ...[
    "received",
    "receive",
    "receives",
    "confirmed",
    "confirm",
    "confirms",
    "confirmation",
    "held",
    "withheld",
  ],
  ...["released", "release", "releases", "refund", "refunds", "refunded", "deposit", "deposited", "transfer"],
  ...[
    "transferred",
    "transaction",
    "transactions",
    "credited",
    "settled",
    "settlement",
    "approved",
    "completed",
  ],
  ...[
    "authorised",
    "authorized",
    "guaranteed",
    "disputed",
    "dispute",
    "handover",
    "notification",
    "notifications",
  ],
  ...[
    "announcement",
    "reminder",
    "arbiter",
    "arbiters",
    "arbitrator",
    "arbitrators",
    "arbitration",
    "tugrik",
  ],
  ...["мөнгө", "мөнгийг", "мөнгөний", "мөнгийн", "мөнгөөр", "мөнгөнөөс", "мөнгөтэй", "арбитр"],
  ...["шилжүүлэг", "нэхэмжлэх", "баталгаажуулалт", "буцаалт", "маргаан", "төлсөн", "төллөө", "төлчихлөө"],
  ...[
    "дансанд",
    "өгөөрэй",
    "өгнө",
    "болно",
    "барааг",
    "бараагаа",
    "delivered",
    "олголоо",
    "mungu",
    "guilgee",
    "guilgeenii",
    "tulbur",
    "tolbor",
  ],
  ...["tulsun", "tolson", "tulluu", "batalgaajlaa", "batalgaajsan", "shiljuullee", "shiljuulsen", "orloo"],
]);
/** Refused also within a word ("moneyreceived"): no name contains them. */
const noticeParts = [
  "received",
  "confirmed",
  "transaction",
  "notification",
  "moneyheld",
  "гүйлгээ",
  "хүлээнав",
].map(plainOf);
const inflectedNouns = inflectionsOf(["арбитр", "шилжүүлг", "баталгаажуулалт", "маргаан"], plainOf);
/** Verbs in every form: what happened to the money, or is to be done with the goods. */
const stateStems = [
  ...[
    "баталгааж",
    "хадгалагд",
    "төлөгдс",
    "төлөгдлөө",
    "төлөгдөх",
    "шилжүүл",
    "буцаагд",
    "хүлээлг",
    "илгээгд",
    "цуцлагд",
    "олгогд",
  ],
].map(plainOf);

/** A duty and an office in one name: "Finance dept", "Санхүүгийн алба". */
const duties = plainSet([
  ...["finance", "financial", "service", "billing", "accounting", "accounts", "trust", "safety", "security"],
  ...["risk", "legal", "fraud", "audit", "treasury", "санхүү", "санхүүгийн", "үйлчилгээний", "нягтлангийн"],
  ...["эрсдэлийн", "хуулийн", "аудитын"],
]);
const offices = plainSet([
  ...["dept", "department", "desk", "team", "division", "unit", "office", "алба", "албан", "хэлтэс", "баг"],
  ...["товчоо", "газар"],
]);

const phrasePatterns = [
  /(?:^| )hand(?:ed|s)?(?: [^ ]+){0,3} over(?: |$)/,
  /(?:^| )(?:buyer|seller|you|both) (?:can|may|must|should|will|has|have|had|is|are|now)(?: |$)/,
  /(?:^| )(?:pay|give|send|deliver|release)(?: [^ ]+){0,2} now(?: |$)/,
  /[^ ] (?:авлаа|орлоо)(?: |$)/,
  /(?:^| )хүлээн ав/,
  /(?:^| )буцаан олго/,
];

/** Refused only as a whole name, with or without digits and signs around it. */
const wholeNames = plainSet([
  ...["buyer", "seller"].flatMap((role) =>
    ["", "the", "your", "our"].flatMap((of) => [of + role, `${of}${role}s`]),
  ),
  ...["you", "bothofyou", "finance", "financial", "billing", "service", "warning", "alert"],
  ...["та", "ta", "танар", "худалдагч", "худалданавагч", "худалдагчид", "санхүү", "сануулга"],
  ...["анхааруулга", "хоёртал", "нөгөөтал", "hudaldagch", "hudaldanavagch", "khudaldagch"],
]);
