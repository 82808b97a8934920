import type { Page } from "@playwright/test";
import { findCrowding } from "./crowded.ts";
import type { Screen } from "./screens/screen.ts";
import { misshapen } from "./shape.ts";

/** Where words that lie on one another or break within a button are looked for too: the list of rooms, the room, transactions. */
const isCheckedClosely = /^(chat|history|transactions)\b/;

/**
 * What does not fit a page that is open, for somebody who enlarges it: at 320 px with text twice as large (WCAG 1.4.4 and 1.4.10), and at
 * 320 px with wide spacing (WCAG 1.4.12). Leaves the window 320 px wide: take pictures first.
 */
export async function findEnlargedProblems(page: Page, { route }: Screen): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 740 });
  const close = isCheckedClosely.test(route);
  const before = close ? await findCrowding(page) : [];
  const crowdedNow = async () => (close ? await findCrowding(page, before) : []);
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  await askContainersAgain(page);
  const large = [...(await misshapen(page)), ...(await crowdedNow()), ...(await unusableRoom(page))];
  await page.evaluate(spaceWidely);
  await askContainersAgain(page);
  const spaced = [...(await misshapen(page)), ...(await crowdedNow())];
  return [...large.map((what) => `text of 200 %: ${what}`), ...spaced.map((what) => `wide spacing: ${what}`)];
}

/** Chromium evaluates a container query again only when the container's size changes, whatever a `rem` has become. */
async function askContainersAgain(page: Page): Promise<void> {
  await page.setViewportSize({ width: 340, height: 740 });
  await page.setViewportSize({ width: 320, height: 740 });
}

/** In a room: that there is something left of the conversation, and a composer that does not fill the window, also when that is low. */
async function unusableRoom(page: Page): Promise<string[]> {
  const found: string[] = [];
  const behind = await page.locator("dialog[data-modal]").isVisible();
  if (behind || !(await page.locator("#composer").isVisible())) return found;
  for (const height of [740, 568, 400]) {
    await page.setViewportSize({ width: 320, height });
    // Two frames: whoever watches the window's height has marked what it is.
    const [log, field, send] = await page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().toJSON();
      return [boxOf("[role=log]"), boxOf("#composer"), boxOf("#composer ~ button")] as DOMRect[];
    });
    if (!log || !field || !send) return ["the room has no conversation, field or button"];
    const share = Math.round((log.height / height) * 100);
    if (share < (height > 700 ? 12.5 : 10)) found.push(`of ${height} px the conversation has ${share} %`);
    if (field.height > height * 0.32 + 1) found.push(`of ${height} px the field has ${field.height}`);
    if (field.width < 130) found.push(`the field is ${field.width} px wide`);
    if (send.bottom > height || send.right > 320)
      found.push(`at ${height} px the button that sends lies outside`);
  }
  await page.setViewportSize({ width: 320, height: 740 });
  return found;
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
