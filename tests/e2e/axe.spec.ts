import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { windows } from "./pictures.ts";
import { isFirst, type Screen, screens } from "./screens.ts";
import { type Look, looks, type Theme, test, viewer } from "./viewing.ts";

// Every route in both languages and themes on a phone, and once on a desk; a further state of it in one language: axe's rules of WCAG 2.x A and AA and its best practices, our own size of a target, and headings that leave out
// no level. `AXE=all` looks at all of them in all looks, on a desk too.

test.describe.configure({ mode: "parallel" });
test.use({ trace: "off", screenshot: "off" });

const sizes = windows.filter(({ width }) => width !== 768);
const all = process.env.AXE === "all";

function looksOf(screen: Screen): Look[] {
  if (isFirst(screen) || all) return looks;
  return [{ language: screens.indexOf(screen) % 2 === 1 ? "mn" : "en", theme: "light" }];
}

for (const screen of screens) {
  test(`${screen.name} can be used by everybody`, async ({ browser, world }) => {
    const { page, open, close } = await viewer(browser, world);
    const wrong: string[] = [];
    let views = 0;
    for (const look of looksOf(screen)) {
      await page.setViewportSize(sizes[0] ?? windows[0]);
      await open(screen, look);
      const once = (isFirst(screen) && look === looks[0]) || all;
      for (const size of once ? sizes : sizes.slice(0, 1)) {
        await page.setViewportSize(size);
        views++;
        const at = `${look.language} ${look.theme} ${size.width}`;
        const found = [...(await violations(page, look.theme))];
        // A theme changes colours alone: what has no colour is looked at once.
        if (look.theme === "light") found.push(...(await smallTargets(page)), ...(await headings(page)));
        wrong.push(...found.map((what) => `${at}: ${what}`));
      }
    }
    await close();
    test.info().annotations.push({ type: "views", description: String(views) });
    expect(wrong).toEqual([]);
  });
}

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];
const colours = ["color-contrast", "link-in-text-block"];

/** Nothing runs in a mail that is shown in a sandbox, axe neither, which would wait for it: the frame itself is looked at, empty. */
function emptyFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const frame of document.querySelectorAll("iframe[sandbox]")) {
      const empty = frame.cloneNode() as HTMLIFrameElement;
      empty.removeAttribute("sandbox");
      empty.removeAttribute("src");
      frame.replaceWith(empty);
    }
  });
}

/** All rules on a light page; on a dark one, which is the same page, those of colour. */
async function violations(page: Page, theme: Theme): Promise<string[]> {
  await emptyFrames(page);
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] });
  const { violations } = await (theme === "light"
    ? axe.withTags(standards)
    : axe.withRules(colours)
  ).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const why = failureSummary?.split("\n")[1]?.trim() ?? "";
      return `${id}: ${target.join(" ")} (${why})`;
    }),
  );
}

/**
 * Buttons, fields and links outside of running text that are smaller in a direction than a thumb needs (44 px), or, where
 * there is a mouse, than WCAG's floor (24 px).
 */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pressed = "a[href], button, summary, select, textarea, input:not([type=hidden])";
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(pressed)) {
      // A link that is stretched over what it belongs to is as large as that.
      const over = getComputedStyle(element, "::after");
      const stretched = over.position === "absolute" && over.content !== "none";
      const box = (element.closest("label") ?? element).getBoundingClientRect();
      const width = stretched ? Number.parseFloat(over.width) : box.width;
      const height = stretched ? Number.parseFloat(over.height) : box.height;
      // What only screen readers are to find until it has the focus is one pixel large.
      if (width <= 1 || height <= 1 || !element.checkVisibility()) continue;
      const inText = element.matches("p a, li p a, td a, dd a, blockquote a, .prose a");
      const least = inText ? 0 : innerWidth < 1024 ? 44 : 24;
      if (width >= least && height >= least - 0.5) continue;
      const words = (element.textContent ?? element.getAttribute("name") ?? "").trim().slice(0, 30);
      found.push(
        `target ${Math.round(width)} × ${Math.round(height)}: ${element.tagName.toLowerCase()} “${words}”`,
      );
    }
    return found;
  });
}

/** One heading of level 1, and none that leaves out a level. */
function headings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown = [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].filter((item) =>
      item.checkVisibility(),
    );
    const levels = shown.map((item) => Number(item.tagName.slice(1)));
    const found = levels.filter((level) => level === 1).length === 1 ? [] : [`headings: ${levels.join(" ")}`];
    for (const [index, level] of levels.entries()) {
      if (index > 0 && level > (levels[index - 1] ?? 0) + 1) {
        found.push(`heading “${shown[index]?.textContent?.trim().slice(0, 30)}” leaves out a level`);
      }
    }
    return found;
  });
}
