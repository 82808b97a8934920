import { describe, expect, test } from "bun:test";
import {
  actingPdfs,
  brokenPdfs,
  makePdf,
  objectStream,
  streamOf,
} from "../../../../../tests/support/hostile/pdfs.ts";
import { inspectPdf, isPdf } from "./inspect-pdf.ts";

describe("a PDF", () => {
  test("that shows pages only is accepted", async () => {
    const image = streamOf(Buffer.alloc(3_000), "/Type/XObject/Subtype/Image/Width 30/Height 100");
    for (const pdf of [
      makePdf(),
      makePdf("/OpenAction[3 0 R/FitH null]"),
      makePdf("/PageMode/UseNone", [image, objectStream("<</Type/Font/BaseFont/Helvetica>>")]),
      makePdf("", ["<</Type/Annot/Subtype/Link/A<</S/URI/URI(https://bank.example.mn)>>>>"]),
      makePdf("", ["<</Title(A talk about JavaScript and XFA)>>"]),
    ]) {
      expect(isPdf(pdf)).toBe(true);
      expect(await inspectPdf(pdf)).toEqual({ ok: true });
    }
  });

  for (const [what, pdf] of actingPdfs()) {
    test(`with ${what} is refused`, async () => {
      expect(await inspectPdf(pdf)).toEqual({ ok: false, code: "FILE_UNSAFE" });
    });
  }

  for (const [what, pdf] of brokenPdfs()) {
    test(`that is ${what} is refused`, async () => {
      expect(await inspectPdf(pdf)).toEqual({ ok: false, code: "FILE_UNREADABLE" });
    });
  }

  test("of hostile text is refused in no time", async () => {
    const head = "%PDF-1.7\n1 0 obj\n";
    const tail = "\nstartxref\n0\n%%EOF\n";
    const began = performance.now();
    for (const part of ["#6", "/OpenAction ", "stream\n", "/N /First ", " ", "1 0 obj "]) {
      await inspectPdf(Buffer.from(head + part.repeat(Math.floor((5 * 1024 * 1024) / part.length)) + tail));
    }
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
