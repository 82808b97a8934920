import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * What keeps somebody from using a page, in words: axe's rules of WCAG 2.x A and AA and its best practices, Midman's own size of a
 * target, and headings that skip a level. Empties the frames of mails: take pictures first.
 */
export async function findUsabilityProblems(page: Page): Promise<string[]> {
  await emptyFrames(page);
  return [...(await violations(page)), ...(await smallTargets(page)), ...(await headings(page))];
}

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

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

async function violations(page: Page): Promise<string[]> {
  // In the page itself: no frame of ours is of another origin, and a second page for the sum of them costs a third more.
  // Of what axe loads beforehand only the media: none of these rules reads the stylesheets.
  const axe = new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"], preload: { assets: ["media"] } });
  const { violations } = await axe.withTags(standards).analyze();
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
