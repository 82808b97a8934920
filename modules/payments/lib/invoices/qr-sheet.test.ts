import { expect, test } from "bun:test";
import jsQR from "jsqr";
import sharp from "sharp";
import { emvText } from "../sandbox/emv-qr.ts";
import { drawQrSheet } from "./qr-sheet.ts";

/** Decodes a sheet as a bank's app does with a picture. */
async function readSheet(png: Uint8Array) {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const code = jsQR(new Uint8ClampedArray(data), info.width, info.height);
  return { text: code?.data, ...info };
}

test("a sheet is a small picture, as wide as a phone's screen, that a bank's app reads", async () => {
  for (const text of [
    emvText({ amount: "110000.00", label: "MM-7K2Q9XAB", bill: "7" }),
    "0002010102".padEnd(400, "7"),
    "1",
  ]) {
    const png = await drawQrSheet(text, { amount: 110_000, code: "MM-7K2Q9XAB" });
    const read = await readSheet(png);
    expect(read.text).toBe(text);
    expect(read.width).toBeWithin(900, 1_100);
    expect(read.height).toBeGreaterThan(read.width);
    expect(png.length).toBeLessThan(20_000);
  }
});

test("amount and code change the picture; a sign without a drawing is left out", async () => {
  const draw = (amount: number, code: string) => drawQrSheet("1", { amount, code });
  const one = await draw(110_000, "MM-7K2Q9XAB");
  expect(await draw(110_000, "MM-7K2Q9XAB")).toEqual(one);
  expect(await draw(110_001, "MM-7K2Q9XAB")).not.toEqual(one);
  expect(await draw(110_000, "MM-7K2Q9XAC")).not.toEqual(one);
  expect((await readSheet(await draw(110_000, "~é"))).text).toBe("1");
});
