/**
 * How deep and how manifold a body may be, whoever sends it and whatever its call makes of it: the one place for these limits. They are
 * looked for in the bytes, in one pass, before anything is made of them. A small body of 50,000 lists one in another parses in
 * milliseconds, but whatever walks through the result afterwards (a validator's error that quotes it) runs out of stack, which
 * takes seconds.
 */
export const inputLimits = {
  /** Objects and lists one in another. No call of ours takes more than three. */
  depth: 32,
  /** Values of a JSON text, those inside others included. The largest of ours, a mail's settings, has about sixty. */
  values: 2_000,
  /** Fields or parts of a form. */
  fields: 200,
  /** Bytes of a field's name, as it is sent. */
  fieldName: 200,
  /** Bytes of what stands before a part's content: its name, and the name of its file in a script that takes six bytes a letter. */
  partHead: 4_096,
} as const;

const [quoteByte, backslashByte, commaByte, listBegins, listEnds, objectBegins, objectEnds] = [
  ...Buffer.from('"\\,[]{}'),
] as [number, number, number, number, number, number, number];

/** True for a JSON text that nests deeper or holds more values than `inputLimits` allow. What is no JSON may be either. */
export function isJsonTooComplex(text: Uint8Array): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quoteByte) at = endOfText(text, at);
    else if (byte === commaByte) values += 1;
    else if (byte === listBegins || byte === objectBegins) {
      depth += 1;
      values += 1;
    } else if (byte === listEnds || byte === objectEnds) depth -= 1;
    if (depth > inputLimits.depth || values > inputLimits.values) return true;
  }
  return false;
}

/** Where the text ends whose quote stands there. */
function endOfText(text: Uint8Array, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === backslashByte) at += 1;
    else if (text[at] === quoteByte) return at;
  }
  return text.length;
}

/** Parses a JSON text from outside. Throws a SyntaxError where it is none, or is more complex than `inputLimits` allow. */
export function parseJson(text: string): unknown {
  if (isJsonTooComplex(Buffer.from(text))) throw new SyntaxError("more complex than any text of ours");
  return JSON.parse(text);
}

const [ampersandByte, equalsByte] = [...Buffer.from("&=")] as [number, number];

/** True for a form as an address writes it with more fields or longer names than `inputLimits` allow. */
export function isFormTooComplex(form: Uint8Array): boolean {
  let fields = 1;
  let nameFrom = 0;
  let inName = true;
  for (let at = 0; at < form.length; at++) {
    const byte = form[at];
    if (byte === ampersandByte) {
      fields += 1;
      nameFrom = at + 1;
      inName = true;
    } else if (byte === equalsByte) inName = false;
    if (fields > inputLimits.fields || (inName && at - nameFrom >= inputLimits.fieldName)) return true;
  }
  return false;
}

/** As browsers and programs write it, and one way to read it: what parts were counted by is what they will be parted by. */
const oneBoundary = /^multipart\/form-data\s*;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*$/i;

/**
 * True for a form in parts with more of them, or more before the content of one, than `inputLimits` allow, and for one whose
 * `contentType` does not plainly say what parts it.
 */
export function isMultipartTooComplex(form: Uint8Array, contentType: string): boolean {
  const boundary = oneBoundary.exec(contentType)?.[2];
  if (boundary === undefined) return true;
  const bytes = Buffer.from(form.buffer, form.byteOffset, form.byteLength);
  const delimiter = `--${boundary}`;
  let found = bytes.indexOf(delimiter);
  for (let parts = 0; found !== -1; parts++) {
    if (parts > inputLimits.fields) return true;
    const from = found + delimiter.length;
    const next = bytes.indexOf(delimiter, from);
    const head = bytes.subarray(from, next === -1 ? undefined : next).subarray(0, inputLimits.partHead + 4);
    if (head.length > inputLimits.partHead && !head.includes("\r\n\r\n")) return true;
    found = next;
  }
  return false;
}
