/** Before the first line, so that spreadsheets read the rest as UTF-8. */
const byteOrderMark = "\uFEFF";

/** `exact`: a number that is a name, such as an account's, which a spreadsheet must not read as a sum or a day. */
type CsvCell = string | number | null | { exact: string };

/** One line of a CSV file (RFC 4180); null is an empty cell. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => formatCell(cell)).join(",")}\r\n`;
}

/** What can stand between quotes of a formula of ours and never end them. */
const plainTextPattern = /^[0-9A-Za-z ./-]{1,64}$/;

function formatCell(cell: CsvCell): string {
  if (typeof cell === "object" && cell !== null) {
    const { exact } = cell;
    // The one formula we write: a text, whose zeros, length and look stay, and which is copied as it is.
    return plainTextPattern.test(exact) ? `"=""${exact}"""` : formatCell(exact);
  }
  const text = typeof cell === "string" ? disarmFormula(cell) : String(cell ?? "");
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet runs what begins like a formula, and texts come from strangers: after an apostrophe it is text. */
function disarmFormula(text: string): string {
  return /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(text) ? `'${text}` : text;
}

/**
 * A CSV file that leaves as its lines are made, no faster than they are taken; one that fails midway ends as a download
 * that failed, and one that is given up makes no more of them.
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
