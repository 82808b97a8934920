import type { Page } from "@playwright/test";
import type { Screen } from "./screens/screen.ts";
import { misshapen } from "./shape.ts";

/**
 * What does not fit a page that is open, for somebody who enlarges it: at 320 px with text twice as large (WCAG 1.4.4 and 1.4.10), and at
 * 320 px with wide spacing (WCAG 1.4.12). Leaves the window 320 px wide: take pictures first.
 */
export async function findEnlargedProblems(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 740 });
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  const large = await misshapen(page);
  await page.evaluate(spaceWidely);
  const spaced = await misshapen(page);
  return [...large.map((what) => `text of 200 %: ${what}`), ...spaced.map((what) => `wide spacing: ${what}`)];
}

/** Whether a screen is one of those that must fit when it is enlarged: the rooms and the back office are not yet among them. */
export function mustFitEnlarged({ route }: Screen): boolean {
  return !/^(admin|chat)\b/.test(route);
}

/** The spacings of WCAG 1.4.12, at the usual size. Not as a `<style>`, which the page's policy would refuse. */
function spaceWidely(): void {
  document.documentElement.style.removeProperty("font-size");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
    p { margin-bottom: 2em !important; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
