import { createHash } from "node:crypto";
import type { Browser } from "@playwright/test";
import sharp from "sharp";

const sampleWords = [
  "Sphinx of black quartz, judge my vow 0123456789",
  "Өмнөх гүйлгээний үлдэгдэл: 1,234,567 ₮",
  "Щётка, ЪЫЭЮЯ, Ө ө Ү ү, «хадгалагдсан»",
  "→ ✓ – … № “ ” &",
];
const sampleFaces = [
  { size: 14, weight: 400 },
  { size: 16, weight: 600 },
  { size: 28, weight: 800 },
];

/**
 * What the fonts and the browser of this machine make of Midman's letters: a hash over the pixels of Latin and Mongolian
 * words in every font stack of the stylesheet, and Chromium's major version. Pictures are comparable where both are the same.
 */
export async function fontFingerprint(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage({
    viewport: { width: 900, height: 1400 },
    baseURL: url,
    bypassCSP: true,
  });
  try {
    await page.goto("/");
    await page.evaluate(
      ({ words, faces }) => {
        const styled = getComputedStyle(document.documentElement);
        const stacks = [
          getComputedStyle(document.body).fontFamily,
          styled.getPropertyValue("--font-mono") || "monospace",
        ];
        document.body.replaceChildren();
        for (const style of document.querySelectorAll("link[rel=stylesheet], style")) style.remove();
        for (const family of stacks) {
          for (const { size, weight } of faces) {
            for (const word of words) {
              const line = document.createElement("p");
              line.textContent = word;
              Object.assign(line.style, {
                font: `${weight} ${size}px/1.4 ${family}`,
                margin: "0",
                whiteSpace: "nowrap",
              });
              document.body.append(line);
            }
          }
        }
      },
      { words: sampleWords, faces: sampleFaces },
    );
    const png = await page.screenshot();
    const pixels = await sharp(png).removeAlpha().raw().toBuffer();
    const major = browser.version().split(".")[0];
    return `chromium-${major}-${createHash("sha256").update(pixels).digest("hex").slice(0, 16)}`;
  } finally {
    await page.close();
  }
}
