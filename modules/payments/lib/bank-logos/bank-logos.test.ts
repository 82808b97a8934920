import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { log } from "#db/log";
import { makeLogoFolder, plainPicture } from "../../../../tests/support/trades/bank-logo-folder.ts";
import { bankLogoPath, findBankLogo, loadBankLogos } from "./bank-logos.ts";

let warn: ReturnType<typeof spyOn<ReturnType<typeof log>, "warn">>;
const removals: Array<() => void> = [];

beforeEach(() => {
  warn = spyOn(log(), "warn").mockImplementation(() => {});
});
afterEach(async () => {
  warn.mockRestore();
  for (const remove of removals.splice(0)) remove();
  await loadBankLogos(undefined);
});

async function load(files: Record<string, Uint8Array | string>, more?: (folder: string) => void) {
  const folder = makeLogoFolder(files);
  removals.push(folder.remove);
  more?.(folder.path);
  await loadBankLogos(folder.path);
}

/** The logo of a bank as its path delivers it. */
function logoOf(scheme: string): Uint8Array {
  const picture = findBankLogo(bankLogoPath(scheme) ?? "");
  if (picture === undefined) throw new Error(`${scheme} has no logo`);
  return picture;
}

/** The files that the log names, with the reason of each. */
const leftOut = () => Object.fromEntries(warn.mock.calls.map(([facts]) => Object.values(facts as object)));

async function pixelAt(picture: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + 3)];
}

const isRed = ([red = 0, green = 255, blue = 255]: number[]) => red > 200 && green < 60 && blue < 60;
const isWhite = (pixel: number[]) => pixel.every((channel) => channel > 245);

test("a picture of each format becomes a square WebP of 96 pixels", async () => {
  const red = plainPicture(300, 300, "#f00");
  await load({
    "khanbank.png": await red.clone().png().toBuffer(),
    "socialpay-payment.jpg": await red.clone().jpeg().toBuffer(),
    "tdbbank.JPEG": await red.clone().jpeg().toBuffer(),
    "xacbank.webp": await red.clone().webp().toBuffer(),
  });
  expect(leftOut()).toEqual({});
  for (const scheme of ["khanbank", "socialpay-payment", "tdbbank", "xacbank"]) {
    const picture = logoOf(scheme);
    expect(await sharp(picture).metadata()).toMatchObject({ format: "webp", width: 96, height: 96 });
    expect([scheme, isRed(await pixelAt(picture, 48, 48))]).toEqual([scheme, true]);
  }
  expect(bankLogoPath("mbank")).toBeNull();
});

test("a wide, small or transparent picture is shown whole, on white", async () => {
  await load({
    "khanbank.png": await plainPicture(40, 20, "#f00").png().toBuffer(),
    "mbank.png": await plainPicture(96, 96, "#f000").png().toBuffer(),
  });
  const wide = logoOf("khanbank");
  for (const x of [2, 48, 93]) expect([x, isRed(await pixelAt(wide, x, 48))]).toEqual([x, true]);
  for (const y of [4, 91]) expect([y, isWhite(await pixelAt(wide, 48, y))]).toEqual([y, true]);
  expect(isWhite(await pixelAt(logoOf("mbank"), 48, 48))).toBe(true);
});

test("nothing of a picture is kept but what can be seen, and it is turned upright", async () => {
  const upper = await plainPicture(100, 50, "#f00").png().toBuffer();
  // Red above white, stored turned by a quarter.
  const picture = plainPicture(100, 100, "#fff").composite([{ input: upper, top: 0, left: 0 }]);
  const flat = await sharp(await picture.png().toBuffer())
    .rotate(270)
    .png()
    .toBuffer();
  const sent = await sharp(flat)
    .withExif({ IFD0: { Artist: "Bold the designer" } })
    .withMetadata({ orientation: 6 })
    .withIccProfile("p3")
    .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>made in the office</x:xmpmeta>")
    .jpeg()
    .toBuffer();
  expect(sent.includes("Bold the designer") && sent.includes("made in the office")).toBe(true);
  await load({ "khanbank.jpg": Buffer.concat([sent, Buffer.from("hidden behind the picture")]) });
  const drawn = logoOf("khanbank");
  const { exif, icc, xmp, orientation } = await sharp(drawn).metadata();
  expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined]);
  for (const words of ["Bold", "office", "hidden"])
    expect([words, Buffer.from(drawn).includes(words)]).toEqual([words, false]);
  expect(isRed(await pixelAt(drawn, 48, 20))).toBe(true);
  expect(isWhite(await pixelAt(drawn, 48, 75))).toBe(true);
});

test("the path has a hash of the content: the same for the same picture, another for another one", async () => {
  const draw = async (colour: string) => {
    await load({ "khanbank.png": await plainPicture(200, 200, colour).png().toBuffer() });
    return bankLogoPath("khanbank") ?? "";
  };
  const red = await draw("#f00");
  expect(red).toMatch(/^\/bank-logos\/khanbank-[\w-]{43}\.webp$/);
  expect(await draw("#f00")).toBe(red);
  const blue = await draw("#00f");
  expect(blue).toMatch(/^\/bank-logos\/khanbank-[\w-]{43}\.webp$/);
  expect(blue).not.toBe(red);
  expect(findBankLogo(red)).toBeUndefined();
});

test("each file that is no logo is named in the log and left out; the others are drawn", async () => {
  const png = await plainPicture(200, 200, "#f00").png().toBuffer();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><script>alert(1)</script></svg>';
  await load(
    {
      ...{ "khanbank.png": png, "khanbank.webp": png, "Khanbank.png": png, "nobank.png": png },
      ...{ "__proto__.png": png, "tdbbank.svg": svg, "mbank.png": svg, "README.txt": "logos" },
      "toki.png": Buffer.concat([png, new Uint8Array(1024 * 1024)]),
      "ard.jpg": png.subarray(0, png.length / 2),
      "arig.png": await plainPicture(32, 32, "#f00").gif().toBuffer(),
      "pass.png": await plainPicture(5_000, 4_000, "#f00").png().toBuffer(),
      ".DS_Store": "hidden",
    },
    (folder) => mkdirSync(join(folder, "sono.png")),
  );
  expect(Object.keys(leftOut()).sort()).toEqual(
    [
      ...["Khanbank.png", "README.txt", "__proto__.png", "ard.jpg", "arig.png", "khanbank.webp"],
      ...["mbank.png", "nobank.png", "pass.png", "sono.png", "tdbbank.svg", "toki.png"],
    ].sort(),
  );
  expect(leftOut()).toMatchObject({
    "khanbank.webp": "this bank already has a logo",
    "nobank.png": "the name is not the scheme of a known bank's app",
    "tdbbank.svg": "the name does not end in .png, .jpg or .webp",
    "toki.png": "it is larger than 1 MB",
    "arig.png": "it is not a PNG, JPEG or WebP picture",
    "sono.png": "it is not a file",
  });
  expect(isRed(await pixelAt(logoOf("khanbank"), 48, 48))).toBe(true);
  const others = ["tdbbank", "mbank", "toki", "ard", "arig", "pass", "sono"];
  expect(others.filter((scheme) => bankLogoPath(scheme) !== null)).toEqual([]);
});
