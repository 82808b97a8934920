/**
 * An erased account, as recorded outside the database: restoring a backup older than the erasure brings the person back, and nothing in that
 * backup can say so. Holds no personal data: the account's id, when it was registered and when it was erased.
 */
export type Erasure = { erased: number; registeredAt: string; at: string };

/** Identifies an account across databases: a new database reuses ids, but not with the same time of registration. */
export const keyOf = ({ erased, registeredAt }: Erasure) => `${erased} ${registeredAt}`;

/** The erasures of all lists, each account once. If it was erased again after a restore, the latest erasure is returned. */
export function mergeErasures(...lists: ReadonlyArray<readonly Erasure[]>): Erasure[] {
  const union = new Map<string, Erasure>();
  for (const line of lists.flat()) {
    const known = union.get(keyOf(line));
    if (known === undefined || Date.parse(line.at) > Date.parse(known.at)) union.set(keyOf(line), line);
  }
  return [...union.values()];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI colours begin with one
const ansiColours = /\x1b\[[0-9;]*[A-Za-z]/g;

/**
 * The erasures in a line of the journal or of the program's log, also as log collectors store it: with a prefix, with ANSI colours, or as a string
 * inside another JSON object at any depth (Docker's json-file, journald's and Loki's JSON).
 */
export function parseErasures(line: string): Erasure[] {
  if (!line.includes("erased")) return [];
  const text = line.replace(ansiColours, "");
  const found: Erasure[] = [];
  for (let from = text.indexOf("{"); from >= 0; ) {
    const end = closingIndex(text, from);
    const value = end === undefined ? undefined : parseJson(text.slice(from, end));
    if (value !== undefined) found.push(...erasuresWithin(value));
    from = text.indexOf("{", value === undefined || end === undefined ? from + 1 : end);
  }
  // A line of a pretty-printed envelope is no object of its own, and its strings are still escaped.
  if (found.length === 0 && text.includes('\\"')) return parseErasures(text.replace(/\\(["\\])/g, "$1"));
  return found;
}

function erasuresWithin(value: unknown): Erasure[] {
  if (typeof value === "string") return parseErasures(value);
  if (typeof value !== "object" || value === null) return [];
  return [...erasureIn(value), ...Object.values(value).flatMap(erasuresWithin)];
}

function erasureIn({ erased, registeredAt, at }: Partial<Erasure>): Erasure[] {
  const isMoment = (one: unknown) => typeof one === "string" && !Number.isNaN(Date.parse(one));
  const isComplete = Number.isSafeInteger(erased) && isMoment(registeredAt) && isMoment(at);
  return isComplete ? [{ erased, registeredAt, at } as Erasure] : [];
}

/** The index after the brace that closes the one at `from`, ignoring those in strings; undefined if none does. */
function closingIndex(text: string, from: number): number | undefined {
  let depth = 0;
  const marks = /"(?:[^"\\]|\\.)*"|[{}]/g;
  marks.lastIndex = from;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    depth += mark[0] === "{" ? 1 : mark[0] === "}" ? -1 : 0;
    if (depth === 0) return marks.lastIndex;
  }
  return undefined;
}

/** Undefined if the text is no JSON, such as a line that a crash cut off. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
