import { describe, expect, test } from "bun:test";
import {
  actingPdfs,
  brokenPdfs,
  makePdf,
  objectStream,
  slowPdfs,
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
      makePdf("/OpenAction [3 0 R/Fit]", ["<</Title(A stream of money, an object)>>"]),
      makePdf("", [objectStream("<</Length 1>>").replace(">>\nstream\n", "\r\n>> \r\nstream\r\n")]),
      makePdf("", [
        `<</Nums[${"7 0 R ".repeat(30_000)}]>>`,
        "[6 0 R]",
        "<</Ink#20A 5 0 R>>\nendobj\n% Objects",
      ]),
      // As Chromium prints.
      makePdf("", [
        streamOf("profile", "/N 3\n").replace(">>\nstream", ">> stream"),
        "<</FunctionType 2\n/N 1>>",
      ]),
      makePdf("", [streamOf("profile", "/N 3/Alternate/DeviceRGB"), "<</Title(\xfe\xff/3D#)>>"]),
      makePdf("", [streamOf("\0\x01\0\x10", "/Type/XRef/W[1 2 1]/DecodeParms<</Columns 4/Predictor 12>>")]),
      makePdf("", [streamOf("(\\)", "/Type/XObject/Subtype/Form/Resources<</X(\\(\\)(a))/Y<0a>>>")]),
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

  for (const [what, pdf] of slowPdfs()) {
    test(`full of ${what} does not hold up the process`, async () => {
      const before = process.cpuUsage();
      await inspectPdf(pdf);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(500);
    });
  }
});
