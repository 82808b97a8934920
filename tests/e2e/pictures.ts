import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import sharp, { type Sharp } from "sharp";
import type { Look } from "./viewing.ts";

/** The windows that every screen is opened in, in CSS pixels. */
export const windows = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
] as const;

/** The approved pictures: one of each screen. */
export const approvedFolder = join(import.meta.dir, "shots");
const resultFolder = join(import.meta.dir, "..", "..", "test-results", "shots");

/**
 * What still counts as the same picture: one in ten thousand of its pixels may differ, and a pixel differs when a channel is
 * more than 24 of 255 away. That forgives a browser's rounding at the edges of letters, and no word.
 */
const tolerance = { channel: 24, share: 0.0001 } as const;

type Raw = { data: Uint8Array; width: number; height: number };

/** The file name of a screen's picture. */
export function pictureOf(screen: string, { language, theme }: Look, width: number): string {
  return `${screen}.${language}-${theme}-${width}.webp`;
}

/** Pixels at which a picture ends, so that all of them together stay below 6 MB. The shape of a page is checked in full. */
const tallest = 1800;

/** The page as it is now, as PNG. */
export async function take(page: Page, whole = false): Promise<Buffer> {
  const { width, height } = await page.evaluate(() => {
    // What is fixed over a page that scrolled a little lies elsewhere in its picture.
    if (document.querySelector("dialog[open]") !== null) window.scrollTo(0, 0);
    return {
      width: window.innerWidth,
      height: Math.max(window.innerHeight, document.documentElement.scrollHeight),
    };
  });
  const clip = { x: 0, y: 0, width, height: whole ? height : Math.min(height, tallest) };
  return page.screenshot({ fullPage: true, scale: "css", clip });
}

/** Keeps a picture as an approved one, made lean. */
export async function approve(file: string, png: Buffer): Promise<void> {
  const { data, width, height } = await raw(png);
  const picture = sharp(lean(data), { raw: { width, height, channels: 3 } });
  await keep(join(approvedFolder, file), picture.withExif({ IFD0: { ImageDescription: printOf(png) } }));
}

/** The print of a picture as it was taken; an approved one carries it, so that the very same one is known without a look. */
function printOf(png: Buffer): string {
  return new Bun.CryptoHasher("sha256").update(png).digest("hex");
}

/** Keeps a picture for a person to look at, in test-results/shots. */
export async function show(file: string, png: Buffer): Promise<void> {
  await keep(join(resultFolder, file), sharp(png));
}

/**
 * A picture that is kept small: its surfaces (the commonest colours) stay as they are, the shades at the edges of letters
 * come in sixteen steps a channel, at most 9 of 255 from the truth.
 */
function lean(data: Uint8Array): Uint8Array {
  const shade = (at: number) => ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 3) counts.set(shade(at), (counts.get(shade(at)) ?? 0) + 1);
  const surfaces = new Set(
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 24)
      .map(([colour]) => colour),
  );
  const kept = Uint8Array.from(data);
  for (let at = 0; at < kept.length; at += 3) {
    if (surfaces.has(shade(at))) continue;
    for (let channel = at; channel < at + 3; channel++) {
      kept[channel] = Math.round((data[channel] ?? 0) / 17) * 17;
    }
  }
  return kept;
}

/**
 * Compares a picture with the approved one. Answers what is different in words, undefined when nothing is; then the picture
 * and what differs lie in test-results/shots.
 */
export async function compare(file: string, png: Buffer): Promise<string | undefined> {
  const approved = join(approvedFolder, file);
  if (!existsSync(approved)) {
    await show(file, png);
    return `${file}: no approved picture (bun run shots:approve)`;
  }
  const kept = readFileSync(approved);
  if ((await sharp(kept).metadata()).exif?.includes(printOf(png))) return undefined;
  const [old, now] = await Promise.all([raw(kept), raw(png)]);
  const found = difference(old, now);
  if (found === undefined) return undefined;
  await show(file, png);
  if (found.marked !== undefined) {
    const { width, height } = now;
    const marked = sharp(found.marked, { raw: { width, height, channels: 3 } });
    await keep(join(resultFolder, file.replace(".webp", ".difference.webp")), marked);
  }
  return `${file}: ${found.said}`;
}

/** What differs between two pictures beyond the tolerance, with a picture of it where both have one size. */
function difference(old: Raw, now: Raw): { said: string; marked?: Uint8Array } | undefined {
  if (old.width !== now.width || old.height !== now.height) {
    return { said: `is ${now.width} × ${now.height}, was ${old.width} × ${old.height}` };
  }
  const pixels = now.width * now.height;
  const marked = new Uint8Array(pixels * 3).fill(255);
  let differing = 0;
  for (let at = 0; at < marked.length; at += 3) {
    if (near(old.data, now.data, at)) continue;
    differing++;
    marked[at + 1] = 0;
    marked[at + 2] = 0;
  }
  if (differing <= pixels * tolerance.share) return undefined;
  return { said: `${((differing / pixels) * 100).toFixed(2)} % of the pixels differ`, marked };
}

function near(a: Uint8Array, b: Uint8Array, at: number): boolean {
  for (let channel = at; channel < at + 3; channel++) {
    if (Math.abs((a[channel] ?? 0) - (b[channel] ?? 0)) > tolerance.channel) return false;
  }
  return true;
}

async function raw(picture: Buffer): Promise<Raw> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

async function keep(path: string, picture: Sharp): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await picture.webp({ lossless: true, effort: 6 }).toBuffer());
}
