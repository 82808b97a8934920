/**
 * Draws the PNG icons for phones from `public/icon.svg`: `bun scripts/assets/draw-icons.ts`, after the logo has changed. The small one for
 * the status bar is the knot alone: Android uses its shape and applies a colour of its own. Also draws the marks of a message's delivery
 * state, from Lucide's paths, into `app/ui/styles/ticks.png`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const publicFolder = join(import.meta.dir, "..", "..", "public");
const iconSvg = readFileSync(join(publicFolder, "icon.svg"), "utf8");
/** Without rounded corners, because the phone rounds them; the knot lies within the circle that no phone cuts. */
const squareIcon = iconSvg.replace(/ rx="\d+"/, "");
const knotIcon = iconSvg.replace(/<rect[^>]*\/>/, "");

async function drawIcon(file: string, size: number, source: string): Promise<void> {
  const drawn = sharp(Buffer.from(source), { density: (72 * size) / 32 }).resize(size, size);
  await drawn
    .png({ palette: true, colours: 64, compressionLevel: 9, effort: 10 })
    .toFile(join(publicFolder, file));
}

await drawIcon("icon-192.png", 192, iconSvg);
await drawIcon("icon-512.png", 512, iconSvg);
await drawIcon("icon-maskable-512.png", 512, squareIcon);
await drawIcon("apple-touch-icon.png", 180, squareIcon);
await drawIcon("badge.png", 96, knotIcon);

const tickPaths = {
  sending: '<circle cx="12" cy="12" r="10"/><path d="M12 6v6l4 2"/>',
  sent: '<path d="M20 6 9 17l-5-5"/>',
  read: '<path d="M18 6 7 17l-5-5m20-2-7.5 7.5L13 16"/>',
};
/** --brand-ink of the light theme, and of the dark theme below it. */
const tickColors = ["#ffffff", "#0b1220"];
const tickDrawings = tickColors.flatMap((ink, row) =>
  Object.values(tickPaths).map(
    (path, column) => `<g transform="translate(${24 * column} ${24 * row})" stroke="${ink}">${path}</g>`,
  ),
);
// Three pixels for each of the 14 CSS pixels of a tick's width, for the screens of phones.
await sharp(
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 48" width="126" height="84" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${tickDrawings.join("")}</svg>`,
  ),
)
  .png({ palette: true, colours: 16, dither: 0, compressionLevel: 9, effort: 10 })
  .toFile(join(import.meta.dir, "..", "..", "app/ui/styles", "ticks.png"));
