/**
 * Limits on the depth and size of a request body, for every sender and every call. They are checked on the bytes, in one pass, before the
 * body is parsed. A small body of 50,000 nested lists parses in milliseconds, but code that walks the result (a validator's error that
 * quotes it) overflows the stack, which takes seconds.
 */
export const inputLimits = {
  /** Nested objects and lists. No call needs more than three. */
  depth: 32,
  /** Values of a JSON text, including nested ones. The largest body, the email settings, has about sixty. */
  values: 2_000,
  /** Fields of a form or parts of a multipart form. */
  fields: 200,
  /** Bytes of a field's name, as it is sent. */
  fieldName: 200,
  /** Bytes before a part's content: its name and its file's name, which may need six bytes per letter. */
  partHead: 4_096,
} as const;

const [quoteByte, backslashByte, commaByte, listBegins, listEnds, objectBegins, objectEnds] = [
  ...Buffer.from('"\\,[]{}'),
] as [number, number, number, number, number, number, number];

/** True for a JSON text that nests deeper or holds more values than `inputLimits` allow. A text that is not JSON may give either result. */
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

/** The position of the quote that closes the string opened at `from`. */
function endOfText(text: Uint8Array, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === backslashByte) at += 1;
    else if (text[at] === quoteByte) return at;
  }
  return text.length;
}

/** Parses an untrusted JSON text. Throws a SyntaxError if it is not JSON or exceeds `inputLimits`. */
export function parseJson(text: string): unknown {
  if (isJsonTooComplex(Buffer.from(text))) throw new SyntaxError("more complex than any text of ours");
  return JSON.parse(text);
}

const [ampersandByte, equalsByte] = [...Buffer.from("&=")] as [number, number];

/** True for a URL-encoded form with more fields or longer names than `inputLimits` allow. */
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

/** Accepts only the usual spelling of a boundary, so that the parser splits the body exactly where its parts were counted. */
const oneBoundary = /^multipart\/form-data\s*;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*$/i;

/**
 * True for a multipart form that has more parts, or more bytes before the content of one, than `inputLimits` allow, or whose `contentType`
 * does not state its boundary in the usual spelling.
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
