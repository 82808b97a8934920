/**
 * Draws the pictures of link previews, one for each language, into `public/`: `bun scripts/assets/draw-cards.ts`, after the logo or the
 * words have changed. They are files, so that no request draws anything, and show no name of any person. The words are those of
 * `card.title` and `card.lead`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { getTranslator, supportedLanguages } from "#locales";

const publicFolder = join(import.meta.dir, "..", "..", "public");
const knot = /<path[^>]*\/>/.exec(readFileSync(join(publicFolder, "icon.svg"), "utf8"))?.[0] ?? "";
const [width, height] = [1_200, 630];
/** Messengers cut long texts off at about this many letters of the largest size. */
const lineLength = { title: 26, lead: 44 };

function wrapWords(text: string, longest: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < longest)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function writeLines(
  lines: string[],
  { top, size, weight }: { top: number; size: number; weight: string },
): string {
  return lines
    .map(
      (line, at) =>
        `<text x="90" y="${top + at * size * 1.25}" font-family="DejaVu Sans" font-size="${size}" font-weight="${weight}" fill="#fff">${line}</text>`,
    )
    .join("");
}

for (const language of supportedLanguages) {
  const t = getTranslator(language);
  const title = wrapWords(t("card.title"), lineLength.title);
  const lead = wrapWords(t("card.lead"), lineLength.lead);
  const leadTop = 320 + title.length * 80;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#1d4ed8"/><g transform="translate(76 70) scale(4)">${knot}</g>${writeLines(
    ["Midman"],
    { top: 160, size: 64, weight: "bold" },
  ).replace(
    'x="90"',
    'x="220"',
  )}${writeLines(title, { top: 310, size: 64, weight: "bold" })}${writeLines(lead, { top: leadTop, size: 38, weight: "normal" })}</svg>`;
  const { size } = await sharp(Buffer.from(svg))
    .png({ palette: true, colours: 16, dither: 0, compressionLevel: 9, effort: 10 })
    .toFile(join(publicFolder, `card-${language}.png`));
  console.log(`card-${language}.png: ${size} bytes`);
}
