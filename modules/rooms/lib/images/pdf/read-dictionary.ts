/** What lies where an object begins, and where the reading stopped. */
export type PdfDictionary = {
  /**
   * A dictionary; or none but another value; or one that readers could read differently: it is not closed, or has comments, NUL or
   * something else between its entries.
   */
  kind: "dictionary" | "none" | "unreadable";
  /** The entries as they are written, by name; undefined if a name is there twice or is escaped. */
  entries?: ReadonlyMap<string, string>;
  end: number;
};

const maxDictionaryLength = 1024 * 1024;
const maxDepth = 32;

/** Reads the dictionary that begins at `from`, after white space. Stricter than the format, so that all readers agree about it. */
export function readDictionary(text: string, from: number): PdfDictionary {
  const entries = new Map<string, string>();
  const part = { text, limit: Math.min(text.length, from + maxDictionaryLength) };
  const first = readToken(part, from);
  let { end } = first;
  if (first.kind !== "<<") return { kind: isPostponed(text, from, end) ? "unreadable" : "none", end };
  let clear = true;
  for (;;) {
    const name = readToken(part, end);
    if (name.kind === ">>") return { kind: "dictionary", ...(clear && { entries }), end: name.end };
    if (name.kind !== "name") return { kind: "unreadable", end: name.end };
    const value = readValue(part, name.end);
    end = value.end;
    if (!value.whole) return { kind: "unreadable", end };
    const written = text.slice(name.begin, name.end);
    if (written.includes("#") || entries.has(written)) clear = false;
    entries.set(written, text.slice(value.begin, end));
  }
}

/** True if a comment or NUL follows an object's number and `obj`: its value comes later. */
function isPostponed(text: string, from: number, end: number): boolean {
  return /[\0%]/.test(text.charAt(end)) && /[\d\0\t\n\f\r ]/.test(text.charAt(from - 4));
}

type Part = { text: string; limit: number };
type Bracket = "<<" | ">>" | "[" | "]";
type Token = { kind: Bracket | "name" | "word" | "string" | "unknown"; begin: number; end: number };
type Value = { whole: boolean; begin: number; end: number };

const closings: Partial<Record<Token["kind"], Bracket>> = { "<<": ">>", "[": "]" };

/** One value: a token, a reference (`5 0 R`), or all between two brackets. */
function readValue(part: Part, from: number): Value {
  const first = readToken(part, from);
  const { begin } = first;
  const closing = closings[first.kind];
  if (closing !== undefined) return { begin, ...readNested(part, first.end, closing) };
  if (first.kind === "word") return { whole: true, begin, end: endOfReference(part, first) };
  return { whole: first.kind === "name" || first.kind === "string", begin, end: first.end };
}

function readNested(part: Part, from: number, closing: Bracket): { whole: boolean; end: number } {
  const expected = [closing];
  let end = from;
  while (expected.length > 0) {
    const next = readToken(part, end);
    end = next.end;
    const opened = closings[next.kind];
    if (opened !== undefined) expected.push(opened);
    else if (next.kind === ">>" || next.kind === "]") {
      if (expected.pop() !== next.kind) return { whole: false, end };
    } else if (next.kind === "unknown") return { whole: false, end };
    if (expected.length > maxDepth) return { whole: false, end };
  }
  return { whole: true, end };
}

/** The end of a reference that begins with this word, or of the word alone. */
function endOfReference(part: Part, first: Token): number {
  const second = readToken(part, first.end);
  if (second.kind !== "word") return first.end;
  const third = readToken(part, second.end);
  return part.text.slice(third.begin, third.end) === "R" ? third.end : first.end;
}

/** The token after white space. What is no token, or is not complete, is unknown. */
function readToken(part: Part, from: number): Token {
  const { text, limit } = part;
  const begin = skip(part, gaps, from);
  const one = begin < limit ? text[begin] : undefined;
  if (one === "(") return readString(part, begin);
  if (one === "<" && text[begin + 1] !== "<") return readHexadecimal(part, begin);
  if (one === "[" || one === "]") return { kind: one, begin, end: begin + 1 };
  if (one === "<" || (one === ">" && text[begin + 1] === ">")) {
    return { kind: one === "<" ? "<<" : ">>", begin, end: begin + 2 };
  }
  const end = one === "/" ? skip(part, regular, begin + 1) : skip(part, regular, begin);
  if (end === begin || end >= limit) return { kind: "unknown", begin, end };
  return { kind: one === "/" ? "name" : "word", begin, end };
}

/** Where the characters of the set end. */
function skip({ text, limit }: Part, set: boolean[], from: number): number {
  let at = from;
  while (at < limit && isIn(set, text, at)) at += 1;
  return at;
}

function readHexadecimal(part: Part, begin: number): Token {
  const end = skip(part, hexadecimal, begin + 1);
  return part.text[end] === ">" ? { kind: "string", begin, end: end + 1 } : { kind: "unknown", begin, end };
}

/** The text in brackets; brackets in it come in pairs, or follow a backslash. */
function readString({ text, limit }: Part, begin: number): Token {
  let depth = 1;
  let at = begin + 1;
  for (; at < limit && depth > 0; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "(") depth += 1;
    else if (text[at] === ")") depth -= 1;
  }
  return { kind: depth === 0 ? "string" : "unknown", begin, end: at };
}

const gaps = characterSet(/[\t\n\f\r ]/);
const hexadecimal = characterSet(/[\dA-Fa-f\t\n\f\r ]/);
const regular = characterSet(/[^\0\t\n\f\r ()<>[\]{}/%]/);

/** For each of 256 characters whether it matches. */
function characterSet(pattern: RegExp): boolean[] {
  return Array.from({ length: 256 }, (_, code) => pattern.test(String.fromCharCode(code)));
}

function isIn(set: boolean[], text: string, at: number): boolean {
  return set[text.charCodeAt(at)] === true;
}
