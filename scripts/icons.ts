/**
 * Draws the icons that phones want as PNG from `public/icon.svg`: `bun scripts/icons.ts`, after the mark has changed. The small
 * one for the status bar is the knot alone: Android takes its shape and gives it a colour of its own.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const folder = join(import.meta.dir, "..", "public");
const svg = readFileSync(join(folder, "icon.svg"), "utf8");
/** To the edges, where the phone rounds them itself; the knot lies well within the circle that no phone cuts. */
const square = svg.replace(/ rx="\d+"/, "");
const knot = svg.replace(/<rect[^>]*\/>/, "");

async function draw(file: string, size: number, source: string): Promise<void> {
  const drawn = sharp(Buffer.from(source), { density: (72 * size) / 32 }).resize(size, size);
  await drawn.png({ palette: true, colours: 64, compressionLevel: 9, effort: 10 }).toFile(join(folder, file));
}

await draw("icon-192.png", 192, svg);
await draw("icon-512.png", 512, svg);
await draw("icon-maskable-512.png", 512, square);
await draw("apple-touch-icon.png", 180, square);
await draw("badge.png", 96, knot);
