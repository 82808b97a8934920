/** A piece of a message. The texts of all pieces, joined in order, are the message. */
export type BodyPart =
  | { kind: "text"; text: string }
  /**
   * `address` is where the link leads; `host` is its host as the browser parses it, in ASCII; `disguised` is true if that differs from the
   * text. `origin` is "" if the address has a user name before the host.
   */
  | { kind: "link"; text: string; address: string; origin: string; host: string; disguised: boolean }
  /** `value` is what to copy: the text without its spaces and dashes. */
  | { kind: "copy"; text: string; value: string };

/** A message has at most this many links and addresses; each costs the browser's parser some microseconds. */
const maxLinks = 50;
/** Longer links would not fit into the address of the page that warns of them. */
const maxLinkLength = 2_000;

/**
 * Splits a message into text, links and copyable values: transaction codes, account and phone numbers, email addresses. Links are http and
 * https addresses, and hosts with a well-known ending that were written without a scheme. Linear in the length of the text: each word is
 * examined once, and no pattern backtracks into what it has read.
 */
export function bodyPartsOf(text: string): BodyPart[] {
  const parts: BodyPart[] = [];
  let plain = "";
  let links = 0;
  for (const [word] of text.matchAll(/\s+|\S+/g)) {
    const found =
      links < maxLinks && addressSignPattern.test(word) ? (findLink(word) ?? findEmail(word)) : undefined;
    if (found === undefined) {
      plain += word;
      continue;
    }
    links += 1;
    const { before, part, after } = found;
    parts.push(...splitNumbers(plain + before), part);
    plain = after;
  }
  return [...parts, ...splitNumbers(plain)];
}

interface FoundPart {
  before: string;
  part: BodyPart;
  after: string;
}

/** Every link or email address contains one of these. */
const addressSignPattern = /[.@]\S|:\/\//;
// What must stand before a scheme or a number is read along with it: Safari before 16.4 knows no look-behind, and would run no script at all.
const httpSchemePattern = /(^|[^\p{L}\p{N}])https?:\/\//iu;
const openingMarksPattern = /^[\p{P}\p{S}]*/u;
/** Punctuation at the end of a sentence is not part of its last address. */
const closingMarkPattern = /^[.,;:!?…'"’”»>*_~]$/;

function findLink(word: string): FoundPart | undefined {
  const scheme = httpSchemePattern.exec(word);
  const start = scheme === null ? undefined : scheme.index + (scheme[1]?.length ?? 0);
  const before = word.slice(0, start ?? openingMarksPattern.exec(word)?.[0].length);
  const text = trimClosingMarks(word.slice(before.length));
  if (text.length > maxLinkLength || (start === undefined && !isBareHost(text))) return undefined;
  const address = start === undefined ? `https://${text}` : text;
  const part = parseLink(text, address);
  return part && { before, part, after: word.slice(before.length + text.length) };
}

/** Removes trailing punctuation, and closing brackets that were opened before the text. */
function trimClosingMarks(text: string): string {
  const count = (sign: string) => text.split(sign).length - 1;
  let open = count(")") - count("(");
  let end = text.length;
  for (; end > 0; end--) {
    const last = text.charAt(end - 1);
    if (last === ")" && open > 0) open -= 1;
    else if (last !== "]" && last !== "}" && !closingMarkPattern.test(last)) break;
  }
  return text.slice(0, end);
}

const topLevelDomains =
  "com|net|org|info|mn|io|gg|me|co|tv|cc|ru|su|cn|kr|jp|us|eu|app|dev|ai|shop|store|xyz|site|online|link|click|top|club|live|pro|vip|page|world|ly|gl|to|мон|рф";
const bareHostPattern = new RegExp(
  `^(?:[^\\s/?#:@.]+\\.)+(?:${topLevelDomains})(?::\\d{1,5})?(?:[/?#].*)?$`,
  "iu",
);
const wwwHostPattern = /^www\.[^\s/?#:@.]+\./i;

/** True for a host written without a scheme; `Тийм.Би` and `v1.2.3` are none. */
function isBareHost(text: string): boolean {
  return bareHostPattern.test(text) || wwwHostPattern.test(text);
}

function parseLink(text: string, address: string): BodyPart | undefined {
  try {
    const { hostname: host, origin, username, password } = new URL(address);
    encodeURIComponent(address);
    const named = username !== "" || password !== "";
    return {
      kind: "link",
      text,
      address,
      origin: named ? "" : origin,
      host,
      disguised: typedHostOf(address) !== host,
    };
  } catch {
    // Not a valid host, or a lone surrogate: it stays text.
    return undefined;
  }
}

/** The host as typed; undefined if the address has a user name before an `@`, which may look like a host. */
function typedHostOf(address: string): string | undefined {
  const authority = address.split("//")[1]?.split(/[/?#\\]/)[0] ?? "";
  return authority.includes("@") ? undefined : authority.replace(/:\d*$/, "").toLowerCase();
}

const emailPattern = /^[\w.+-]{1,64}@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}$/u;

function findEmail(word: string): FoundPart | undefined {
  if (!word.includes("@")) return undefined;
  const before = openingMarksPattern.exec(word)?.[0] ?? "";
  const text = trimClosingMarks(word.slice(before.length));
  if (!emailPattern.test(text)) return undefined;
  return {
    before,
    part: { kind: "copy", text, value: text },
    after: word.slice(before.length + text.length),
  };
}

const copyableNumberPattern =
  /(^|[^\p{L}\p{N}_])(MM-[0-9A-Z]{8}|MN\d\d(?: ?\d{4}){4}|(?:\+\d|\d\d)\d*(?:[ \u00a0-]\d{2,})*)/giu;
const wordCharacterPattern = /^[\p{L}\p{N}_]/u;
const isoDatePattern = /^\d{4}-\d\d-\d\d(?!\d)/;
const minDigits = 6;

function splitNumbers(text: string): BodyPart[] {
  const parts: BodyPart[] = [];
  let at = 0;
  for (const match of text.matchAll(copyableNumberPattern)) {
    const [whole, before = "", found = ""] = match;
    const start = match.index + before.length;
    const end = match.index + whole.length;
    const value = copyableValueOf(found);
    if (value === undefined || wordCharacterPattern.test(text.slice(end, end + 2))) continue;
    if (start > at) parts.push({ kind: "text", text: text.slice(at, start) });
    parts.push({ kind: "copy", text: found, value });
    at = end;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

function copyableValueOf(found: string): string | undefined {
  if (/^MM/i.test(found)) return found.toUpperCase();
  const value = found.replace(/[ \u00a0-]/g, "").toUpperCase();
  return value.replace("+", "").length >= minDigits && !isoDatePattern.test(found) ? value : undefined;
}
