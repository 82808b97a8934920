/** Before the first line, so that spreadsheets read the rest as UTF-8. */
const mark = "\uFEFF";

/** One line of a CSV file (RFC 4180); null is an empty cell. */
export function csvLine(cells: ReadonlyArray<string | number | null>): string {
  return `${cells.map((cell) => written(cell)).join(",")}\r\n`;
}

function written(cell: string | number | null): string {
  const text = typeof cell === "string" ? harmless(cell) : String(cell ?? "");
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet runs what begins like a formula, and texts come from strangers: after an apostrophe it is text. */
function harmless(text: string): string {
  return /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(text) ? `'${text}` : text;
}

/**
 * A CSV file that leaves as its lines are made, no faster than they are taken; one that fails midway ends as a download
 * that failed, and one that is given up makes no more of them.
 */
export function csvFile(name: string, lines: AsyncGenerator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(encoder.encode(mark)),
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
