/**
 * Reads a settings file as systemd does (EnvironmentFile=, systemd.exec(5)) and executes nothing in it: comments start with `#` or `;`,
 * values are bare or in single or double quotes, a backslash at the end of a line joins it to the next, and `$` has no meaning. Other lines
 * are ignored.
 */
export function readEnvironmentFile(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const source = text.replaceAll("\r\n", "\n");
  for (let at = 0; at < source.length; ) {
    const line = /[^\n]*/y;
    line.lastIndex = at;
    const head = /^[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/.exec(line.exec(source)?.[0] ?? "");
    if (head === null) {
      at = afterLine(source, at);
      continue;
    }
    const read = readValue(source, at + head[0].length);
    found[head[1] ?? ""] = read.value;
    at = read.next;
  }
  return found;
}

const afterLine = (source: string, at: number): number => {
  const end = source.indexOf("\n", at);
  return end < 0 ? source.length : end + 1;
};

type Read = { value: string; next: number };

/** Reads a value up to the end of its line: quoted and bare pieces one after another. White space around bare pieces is ignored. */
function readValue(source: string, from: number): Read {
  let [value, at] = ["", from];
  for (;;) {
    while (source[at] === " " || source[at] === "\t") at++;
    const sign = source[at];
    if (sign === undefined || sign === "\n") return { value, next: at + 1 };
    const piece = sign === "'" || sign === '"' ? readQuoted(source, at + 1, sign) : readBare(source, at);
    value += piece.value;
    at = piece.next;
  }
}

/** Within double quotes a backslash escapes only `"`, `\`, `` ` `` and `$`; within single quotes it escapes nothing. */
function readQuoted(source: string, from: number, quote: "'" | '"'): Read {
  let value = "";
  for (let at = from; at < source.length; at++) {
    const sign = source[at] ?? "";
    if (sign === quote) return { value, next: at + 1 };
    if (sign !== "\\" || quote === "'") {
      value += sign;
      continue;
    }
    const next = source[++at] ?? "";
    if (next !== "\n") value += /["\\`$]/.test(next) ? next : `\\${next}`;
  }
  return { value, next: source.length };
}

/** Quotes within a bare value are ordinary characters. */
function readBare(source: string, from: number): Read {
  let [value, kept] = ["", 0];
  let at = from;
  for (; at < source.length && source[at] !== "\n"; at++) {
    if (source[at] === "\\") {
      const next = source[++at] ?? "";
      if (next !== "\n") value += next;
      kept = value.length;
      continue;
    }
    value += source[at];
    if (source[at] !== " " && source[at] !== "\t") kept = value.length;
  }
  return { value: value.slice(0, kept), next: at };
}
