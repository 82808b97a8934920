/**
 * An erased account, as recorded outside the database: restoring a backup older than the erasure brings the person back, and nothing in
 * that backup records the erasure. Contains no personal data: the account's id, when it was registered and when it was erased.
 */
export type Erasure = { erased: number; registeredAt: string; at: string };

/** Identifies an account across databases: a new database reuses ids, but not with the same time of registration. */
export const erasureKeyOf = ({ erased, registeredAt }: Erasure) => `${erased} ${registeredAt}`;

/** The erasures of all lists, each account once. If it was erased again after a restore, the latest erasure is returned. */
export function mergeErasures(...lists: ReadonlyArray<readonly Erasure[]>): Erasure[] {
  const union = new Map<string, Erasure>();
  for (const line of lists.flat()) {
    const known = union.get(erasureKeyOf(line));
    if (known === undefined || Date.parse(line.at) > Date.parse(known.at))
      union.set(erasureKeyOf(line), line);
  }
  return [...union.values()];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI colours begin with one
const ansiColours = /\x1b\[[0-9;]*[A-Za-z]/g;

/**
 * The erasures in a line of the journal or of the program's log, also as log collectors store it: with a prefix, with ANSI colours, or as a
 * string inside another JSON object at any depth (Docker's json-file, journald's and Loki's JSON). A line may be many megabytes of unpaired
 * braces.
 */
export function parseErasures(line: string): Erasure[] {
  if (!line.includes("erased")) return [];
  const text = line.replace(ansiColours, "");
  const found = erasuresOfObjects(text);
  // A line of a pretty-printed envelope is not an object by itself, and its strings are still escaped.
  if (found.length === 0 && text.includes('\\"')) return parseErasures(text.replace(/\\(["\\])/g, "$1"));
  return found;
}

function erasuresOfObjects(text: string): Erasure[] {
  const found: Erasure[] = [];
  const marks = findMarks(text);
  const isInString = new Uint8Array(text.length);
  for (let from = text.indexOf("{"); from >= 0; from = text.indexOf("{", from + 1)) {
    if (isInString[from] === 1 || !/^\{\s*["}]/.test(text.slice(from, from + 8))) continue;
    const own = readOwnText(text, from, marks);
    const value = own && parseJson(own.text);
    if (own === undefined || value === undefined) continue;
    for (const [start, end] of own.strings) isInString.fill(1, start, end);
    found.push(...erasuresIn(value));
  }
  return found;
}

/**
 * For each index of a text: the end of the string that is open there (`stringEnd`), and, outside strings, the next brace that closes more
 * than was opened since (`closing`); the text's length if there is none. Filled in one pass from the end, so that malformed text costs no
 * more than other text.
 */
type TextMarks = { stringEnd: Int32Array; closing: Int32Array };

function findMarks(text: string): TextMarks {
  const none = text.length;
  const stringEnd = new Int32Array(none + 2).fill(none);
  const closing = new Int32Array(none + 2).fill(none);
  const pick = (from: Int32Array, at: number) => from[at] ?? none;
  for (let at = none - 1; at >= 0; at--) {
    const sign = text[at];
    stringEnd[at] = sign === '"' ? at : pick(stringEnd, sign === "\\" ? at + 2 : at + 1);
    let next = at + 1;
    if (sign === "{") next = pick(closing, at + 1) + 1;
    // A quotation mark without another one after it does not start a string.
    if (sign === '"' && pick(stringEnd, at + 1) < none) next = pick(stringEnd, at + 1) + 1;
    closing[at] = sign === "}" ? at : pick(closing, next);
  }
  return { stringEnd, closing };
}

/** An object's text with `null` in place of each nested object, and the positions of its strings; undefined if it is not closed. */
function readOwnText(text: string, from: number, { stringEnd, closing }: TextMarks) {
  const end = closing[from + 1] ?? text.length;
  if (end === text.length) return undefined;
  const strings: Array<[number, number]> = [];
  const pieces: string[] = [];
  let kept = from;
  for (let at = from + 1; at < end; at++) {
    const stringCloses = stringEnd[at + 1] ?? end;
    if (text[at] === '"' && stringCloses < end) {
      strings.push([at, stringCloses]);
      at = stringCloses;
    } else if (text[at] === "{") {
      pieces.push(text.slice(kept, at), "null");
      at = closing[at + 1] ?? end;
      kept = at + 1;
    }
  }
  return { text: pieces.join("") + text.slice(kept, end + 1), strings };
}

/** The erasure in an object without nested objects, and the erasures inside its strings. */
function erasuresIn(value: object): Erasure[] {
  const found = erasureIn(value);
  const pending: unknown[] = Object.values(value).reverse();
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one === "string") found.push(...parseErasures(one));
    else if (Array.isArray(one)) for (let at = one.length - 1; at >= 0; at--) pending.push(one[at]);
  }
  return found;
}

function erasureIn({ erased, registeredAt, at }: Partial<Erasure>): Erasure[] {
  const isMoment = (one: unknown) => typeof one === "string" && !Number.isNaN(Date.parse(one));
  const isComplete = Number.isSafeInteger(erased) && isMoment(registeredAt) && isMoment(at);
  return isComplete ? [{ erased, registeredAt, at } as Erasure] : [];
}

/** Undefined if the text is not JSON, such as a line that a crash cut off. */
function parseJson(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
