/**
 * Draws the icons that phones want as PNG from `public/icon.svg`: `bun scripts/icons.ts`, after the mark has changed. The small
 * one for the status bar is the knot alone: Android takes its shape and gives it a colour of its own. Also the marks of how far a
 * message has come, from Lucide's paths, into `app/ui/styles/ticks.png`.
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

const paths = {
  sending: '<circle cx="12" cy="12" r="10"/><path d="M12 6v6l4 2"/>',
  sent: '<path d="M20 6 9 17l-5-5"/>',
  read: '<path d="M18 6 7 17l-5-5m20-2-7.5 7.5L13 16"/>',
};
/** --brand-ink in the light, and below it in the dark. */
const inks = ["#ffffff", "#0b1220"];
const ticks = inks.flatMap((ink, row) =>
  Object.values(paths).map(
    (path, column) => `<g transform="translate(${24 * column} ${24 * row})" stroke="${ink}">${path}</g>`,
  ),
);
// Three of its pixels for each of the 14 that a tick is wide: as sharp as phones are.
await sharp(
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 48" width="126" height="84" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${ticks.join("")}</svg>`,
  ),
)
  .png({ palette: true, colours: 16, dither: 0, compressionLevel: 9, effort: 10 })
  .toFile(join(import.meta.dir, "..", "app/ui/styles", "ticks.png"));
