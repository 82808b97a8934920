/** Top-level domains in Cyrillic; other Cyrillic letters after a dot are usually a name with an initial ("Б.Бат"). */
const cyrillicEnds = "мн|мон|рф|рус|бел|укр|срб|мкд|қаз|бг|ею|онлайн|сайт|ком|орг|дети|москва|католик";
/** Top-level domains in Latin that count even after a single letter, which may be an initial ("B.Bold"). */
const latinEnds =
  "com|net|org|info|biz|app|dev|xyz|link|site|online|shop|store|top|club|live|pro|page|icu|vip|win|fun|" +
  "cash|bank|money|chat|games?|gift|one|art|blog|cloud|edu|gov|mobi|name|news|party|pay|pub|red|space|" +
  "team|tech|today|website|wiki|work|world|zone";

const domainEdge = "(?![\\p{L}\\p{N}-])";
/** Phone numbers and IPv4 addresses. */
const numberPatterns = [/\+?\d(?:[\s().-]*\d){6,}/u, /\d+\.\d+\.\d+\.\d+/u];
const addressPatterns = [
  // Schemes and email addresses.
  /[a-z][a-z0-9+.-]*:\/\//iu,
  /(?<![\p{L}\p{N}])(?:mailto|tel|sms|geo|tg|viber|whatsapp|data|javascript):/iu,
  /\S@\S/u,
  /(?<![\p{L}\p{N}])www\./iu,
  // "evil.mn", "t.me": any two letters are a country's domain; any longer ones count too, except after an initial.
  new RegExp(`[\\p{Script=Latin}\\d-]\\.[a-z]{2}${domainEdge}`, "iu"),
  new RegExp(
    `[\\p{Script=Latin}\\p{Script=Cyrillic}\\d-]\\.(?:xn--[a-z0-9-]+|${latinEnds}|${cyrillicEnds})${domainEdge}`,
    "iu",
  ),
  /[\p{Script=Latin}\d-]{2,}\.[a-z]{2,}/iu,
];

/**
 * True for a name that a mail client, a phone or a messenger would turn into a link: a web address with or without its scheme, an email
 * address, or a phone number.
 */
export function looksLikeLink(name: string): boolean {
  return looksLikeAddress(name) || numberPatterns.some((pattern) => pattern.test(normalizeDots(name)));
}

/** Like `looksLikeLink`, but allows digits: honest room names contain long numbers (“12 000 000 gold”). */
export function looksLikeAddress(name: string): boolean {
  return addressPatterns.some((pattern) => pattern.test(normalizeDots(name)));
}

/** Writes every dot of a name the same way, also in "evil[.]com" and "evil (dot) com", which readers are meant to correct. */
function normalizeDots(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/[\u3002\uff0e\uff61]/gu, ".")
    .replaceAll(
      /\s*(?:\[\s*(?:\.|dot|цэг)\s*\]|\(\s*(?:\.|dot|цэг)\s*\)|\{\s*(?:\.|dot|цэг)\s*\})\s*/giu,
      ".",
    );
}
