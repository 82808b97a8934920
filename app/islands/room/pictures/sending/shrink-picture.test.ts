import { expect, test } from "bun:test";
import { fitWithin, maxDisplayHeight, maxPictureSide } from "../picture-limits.ts";
import { isPicture } from "./shrink-picture.ts";

test("a picture is scaled into a square without distortion, and a small one stays as it is", () => {
  const square = { width: maxPictureSide, height: maxPictureSide };
  expect(fitWithin(4000, 3000, square)).toEqual({ width: 1600, height: 1200 });
  expect(fitWithin(3000, 4000, square)).toEqual({ width: 1200, height: 1600 });
  expect(fitWithin(640, 480, square)).toEqual({ width: 640, height: 480 });
  expect(fitWithin(30_000, 3, square)).toEqual({ width: 1600, height: 1 });
});

test("in the conversation only its height is limited", () => {
  const low = { width: Number.POSITIVE_INFINITY, height: maxDisplayHeight };
  expect(fitWithin(1600, 1200, low)).toEqual({ width: 400, height: 300 });
  expect(fitWithin(1600, 200, low)).toEqual({ width: 1600, height: 200 });
});

test("a picture's type follows from its first bytes, not from its name", () => {
  const heads = ["\xff\xd8\xff\xe0", "\x89PNG\r\n\x1a\n", "GIF89a", "RIFF\n\0\0\0WEBP", "\0\0\0\x1cftypavif"];
  for (const head of heads) expect([head, isPicture(Buffer.from(head, "latin1"))]).toEqual([head, true]);
  for (const head of ["only words", "<svg xmlns=", "%PDF-1.7", "", "RIFF\n\0\0\0WAVE", "\0\0\0\x1cftypmp42"])
    expect([head, isPicture(Buffer.from(head, "latin1"))]).toEqual([head, false]);
});
