import { isWhiteSpace } from "./acting-names.ts";
import { readDictionary } from "./read-dictionary.ts";

/** A stream: the entries of its dictionary, as they are written, and its bytes. */
export type PdfStream = { entries: ReadonlyMap<string, string>; from: number; to: number };

/** Streams and dictionaries of one file. */
const maxStreams = 5_000;
const maxDictionaries = 50_000;
/** What is read beyond a file's own length, in characters: some text is read twice where an object begins inside another. */
const maxReadAgain = 1024 * 1024;

/**
 * All streams of a file, in its text as Latin-1. Each `obj` counts as the beginning of an object, also inside strings and streams, as an
 * offset may point anywhere. Undefined if a dictionary cannot be read, if a stream is not preceded by one that is read without doubt, or if
 * the stream's beginning is ambiguous: readers would disagree about what it is. Undefined too if there are too many to look at.
 */
export function findStreams(text: string): PdfStream[] | undefined {
  const streams: PdfStream[] = [];
  const openings = new Set<number>();
  let left = text.length + maxReadAgain;
  let dictionaries = 0;
  for (let at = text.indexOf("obj"); at !== -1; at = text.indexOf("obj", at + 3)) {
    const dictionary = readDictionary(text, at + 3);
    left -= dictionary.end - at;
    if (dictionary.kind === "unreadable") return undefined;
    if (dictionary.kind === "dictionary") dictionaries += 1;
    if (left < 0 || dictionaries > maxDictionaries || streams.length > maxStreams) return undefined;
    if (dictionary.kind === "none" || dictionary.entries === undefined) continue;
    const opening = skipWhiteSpace(text, dictionary.end);
    left -= opening - dictionary.end;
    if (!text.startsWith("stream", opening)) continue;
    openings.add(opening);
    streams.push({ entries: dictionary.entries, from: bodyOf(text, opening), to: text.length });
  }
  return opensOnlyAt(text, openings) ? withEnds(text, streams) : undefined;
}

/** True if each `stream` that a reader could take for the keyword follows a dictionary, and is followed by the line break it needs. */
function opensOnlyAt(text: string, openings: ReadonlySet<number>): boolean {
  for (let at = text.indexOf("stream"); at !== -1; at = text.indexOf("stream", at + 6)) {
    if (isKeyword(text, at) && !openings.has(at)) return false;
    if (openings.has(at) && bodyOf(text, at) === -1) return false;
  }
  return true;
}

/** The keyword follows a dictionary, or a comment and its line break; a word of a sentence usually does neither. */
function isKeyword(text: string, at: number): boolean {
  let before = at - 1;
  let followsLine = false;
  for (; before >= 0 && isWhiteSpace(text.charCodeAt(before)); before -= 1) {
    if (isLineBreak(text[before])) followsLine = true;
  }
  if (followsLine || text[before] === ">") return true;
  const startsWord = before < at - 1 || /[()<[\]{}/%]/.test(text[before] ?? " ");
  return startsWord && isLineBreak(text[at + 6]);
}

function isLineBreak(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

/** Where the bytes of a stream begin; -1 if the keyword is not followed by LF or CR LF. */
function bodyOf(text: string, opening: number): number {
  if (text.startsWith("\n", opening + 6)) return opening + 7;
  return text.startsWith("\r\n", opening + 6) ? opening + 8 : -1;
}

/** Each part of the text is searched once, however many streams begin in it. */
function withEnds(text: string, streams: PdfStream[]): PdfStream[] {
  let end = -1;
  return streams
    .sort((one, other) => one.from - other.from)
    .map((stream) => {
      if (end < stream.from) end = text.indexOf("endstream", stream.from);
      if (end === -1) end = text.length;
      return { ...stream, to: end };
    });
}

function skipWhiteSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}
