/** What stands behind the dot of an address in Cyrillic, after which most names with an initial ("Б.Бат") are none. */
const cyrillicEnds = "мн|мон|рф|рус|бел|укр|срб|мкд|қаз|бг|ею|онлайн|сайт|ком|орг|дети|москва|католик";
/** And in Latin, for one that begins with a single letter, as an initial does ("B.Bold"). */
const latinEnds =
  "com|net|org|info|biz|app|dev|xyz|link|site|online|shop|store|top|club|live|pro|page|icu|vip|win|fun|" +
  "cash|bank|money|chat|games?|gift|one|art|blog|cloud|edu|gov|mobi|name|news|party|pay|pub|red|space|" +
  "team|tech|today|website|wiki|work|world|zone";

const domainEdge = "(?![\\p{L}\\p{N}-])";
/** Telephone numbers and IPv4 addresses. */
const numberPatterns = [/\+?\d(?:[\s().-]*\d){6,}/u, /\d+\.\d+\.\d+\.\d+/u];
const addressPatterns = [
  // Schemes and email addresses.
  /[a-z][a-z0-9+.-]*:\/\//iu,
  /(?<![\p{L}\p{N}])(?:mailto|tel|sms|geo|tg|viber|whatsapp|data|javascript):/iu,
  /\S@\S/u,
  /(?<![\p{L}\p{N}])www\./iu,
  // "evil.mn", "t.me": two letters are a country's; longer ones are any, but after an initial.
  new RegExp(`[\\p{Script=Latin}\\d-]\\.[a-z]{2}${domainEdge}`, "iu"),
  new RegExp(
    `[\\p{Script=Latin}\\p{Script=Cyrillic}\\d-]\\.(?:xn--[a-z0-9-]+|${latinEnds}|${cyrillicEnds})${domainEdge}`,
    "iu",
  ),
  /[\p{Script=Latin}\d-]{2,}\.[a-z]{2,}/iu,
];

/**
 * True for a name that a mail client, a phone or a messenger would turn into a link: a web address with or without its scheme,
 * an address of mail, a number to call.
 */
export function looksLikeLink(name: string): boolean {
  return looksLikeAddress(name) || numberPatterns.some((pattern) => pattern.test(normalizeDots(name)));
}

/** Like `looksLikeLink`, but allows digits: honest room names contain long numbers (“12 000 000 gold”). */
export function looksLikeAddress(name: string): boolean {
  return addressPatterns.some((pattern) => pattern.test(normalizeDots(name)));
}

/** A name with every dot written as one: also "evil[.]com" and "evil (dot) com", which a reader is meant to mend. */
function normalizeDots(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/[\u3002\uff0e\uff61]/gu, ".")
    .replaceAll(
      /\s*(?:\[\s*(?:\.|dot|цэг)\s*\]|\(\s*(?:\.|dot|цэг)\s*\)|\{\s*(?:\.|dot|цэг)\s*\})\s*/giu,
      ".",
    );
}
