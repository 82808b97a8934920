import { expect, test } from "bun:test";
import { computeChecksum, emvText } from "./emv-qr.ts";

/** Reads a TLV text by its own lengths; throws if they do not add up. */
function fields(text: string): Map<string, string> {
  const read = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    if (!Number.isInteger(length) || at + 4 + length > text.length) throw new Error(`broken at ${at}`);
    read.set(text.slice(at, at + 2), text.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return read;
}

test("the checksum is CRC16/CCITT-FALSE by its standard check value", () => {
  expect(computeChecksum("123456789")).toBe("29B1");
  expect(computeChecksum("")).toBe("FFFF");
});

test("a real merchant's text proves the order of fields and the range of the checksum", () => {
  const real =
    "0002010102121531279404962794049600022310027138152045734530349654031005802MN5904TEST6011Ulaanbaatar6244010712345670504test0721qWlrS8_zUpplFJmmfBGXc6304C66D";
  expect(computeChecksum(real.slice(0, -4))).toBe("C66D");
});

test("the text is valid TLV with Mongolia's currency and country, the amount and a right checksum at its end", () => {
  const text = emvText({ amount: "55000.00", label: "A1B2C3D4E5F6", bill: "0".repeat(40) });
  const read = fields(text);
  expect([...read.keys()]).toEqual(["00", "01", "26", "52", "53", "54", "58", "59", "60", "62", "63"]);
  expect(read.get("53")).toBe("496");
  expect(read.get("58")).toBe("MN");
  expect(read.get("54")).toBe("55000");
  expect(fields(read.get("62") ?? "").get("05")).toBe("A1B2C3D4E5F6");
  expect(read.get("63")).toBe(computeChecksum(text.slice(0, -4)));
});

test("a fraction keeps its digits", () => {
  expect(fields(emvText({ amount: "100.50", label: "x", bill: "y" })).get("54")).toBe("100.50");
});
