/**
 * What a reader's program would do by itself or on a press, beyond showing pages: scripts, programs, other files, forms, media, attachments,
 * encryption (which hides all of these). An opening action that only names a page is harmless, and common. The short names are matched with
 * what must follow them, because they also occur by chance in packed bytes. Each part has a bounded length: text of any size is searched in
 * one pass.
 */
const actingNames =
  /\/(?:(?:JavaScript|Launch|EmbeddedFiles?|FileAttachment|AcroForm|XFA|Encrypt|GoToR|GoToE|SubmitForm|ImportData|Rendition|Movie|Sound)(?![A-Za-z0-9])|RichMedia|OpenAction(?! ?\[)|(?:JS|AA|EF)(?: ?(?:[(%]|<<)| [-+\d])|JS ?<|(?:Subtype|Type) ?(?:%|\/3D(?![A-Za-z0-9])))/;

/** True if a PDF's bytes, or what they unpack to, name something that acts; a name may be written with escapes (`/J#53`). */
export function hasActingName(bytes: Uint8Array): boolean {
  if (actingNames.test(simplify(bytes, false))) return true;
  return bytes.includes(hash) && actingNames.test(simplify(bytes, true));
}

const space = 0x20;
const hash = 0x23;

/** White space of PDFs, NUL among it. */
export function isWhiteSpace(code: number): boolean {
  return code === space || code === 0x0a || code === 0x0d || code === 0x09 || code === 0x0c || code === 0;
}

/** The text with each run of white space as one space, and without the escapes of names if asked. */
function simplify(bytes: Uint8Array, withoutEscapes: boolean): string {
  const simple = Buffer.alloc(bytes.length);
  let length = 0;
  let inSpace = false;
  for (let at = 0; at < bytes.length; at += 1) {
    let code = bytes[at] ?? 0;
    if (withoutEscapes && code === hash) {
      const escaped = (hexDigit(bytes[at + 1]) << 4) | hexDigit(bytes[at + 2]);
      if (escaped >= 0) {
        code = escaped;
        at += 2;
      }
    }
    const isSpace = isWhiteSpace(code);
    if (isSpace && inSpace) continue;
    simple[length] = isSpace ? space : code;
    length += 1;
    inSpace = isSpace;
  }
  return simple.toString("latin1", 0, length);
}

/** The value of a hexadecimal digit; negative for other bytes. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
