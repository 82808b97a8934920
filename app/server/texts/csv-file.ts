/** Precedes the first line, so that spreadsheets read the file as UTF-8. */
const byteOrderMark = "\uFEFF";

/** `exact`: a number that is an identifier, such as an account number, which a spreadsheet must not read as an amount or a date. */
type CsvCell = string | number | null | { exact: string };

/** One line of a CSV file (RFC 4180); null is an empty cell. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => formatCell(cell)).join(",")}\r\n`;
}

/** Text that can be quoted inside a formula without ending its quotes. */
const plainTextPattern = /^[0-9A-Za-z ./-]{1,64}$/;

function formatCell(cell: CsvCell): string {
  if (typeof cell === "object" && cell !== null) {
    const { exact } = cell;
    // The only formula that is written: a text value, which keeps its zeros and its length and is copied unchanged.
    return plainTextPattern.test(exact) ? `"=""${exact}"""` : formatCell(exact);
  }
  const text = typeof cell === "string" ? disarmFormula(cell) : String(cell ?? "");
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Prevents formula injection: a spreadsheet runs a text that begins like a formula, and texts come from strangers. A leading apostrophe
 * makes it text.
 */
function disarmFormula(text: string): string {
  return /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(text) ? `'${text}` : text;
}

/**
 * Streams a CSV file as its lines are produced, no faster than the client reads. An error midway fails the download; a cancelled download
 * stops producing lines.
 */
export function csvFile(name: string, lines: AsyncGenerator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(encoder.encode(byteOrderMark)),
    async pull(stream) {
      const { value, done } = await lines.next();
      if (done) stream.close();
      else stream.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}
