import type { Page } from "@playwright/test";

/** What of a page does not fit its window: the page wider than it, and words cut off. */
export function misshapen(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40)}”`;
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    const beyond = [...document.body.querySelectorAll("main *, header *, footer *")].filter(
      (element) => element.checkVisibility() && element.getBoundingClientRect().right > window.innerWidth + 1,
    );
    // The innermost elements that reach out of the window.
    const causes = beyond.filter(({ children }) => ![...children].some((child) => beyond.includes(child)));
    const found =
      wide > 0
        ? [`the page is ${wide} px wider than its window: ${causes.slice(0, 5).map(named).join(", ")}`]
        : [];
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      const style = getComputedStyle(element);
      const hides = /hidden|clip/.test(style.overflowX) || /hidden|clip/.test(style.overflowY);
      if (!hides || style.display === "none" || style.visibility === "hidden") continue;
      // What only screen readers are to find is one pixel large on purpose; line-clamp cuts on purpose too.
      if (element.clientWidth <= 1 || style.webkitLineClamp !== "none" || element.closest("svg")) continue;
      if (element.matches("[data-whole-parts]")) {
        const edge = element.getBoundingClientRect();
        const parts = [...element.children].filter(({ clientWidth }) => clientWidth !== 1);
        const halved = parts.filter((part) => {
          const { top, bottom, right } = part.getBoundingClientRect();
          return top < edge.bottom - 1 && (bottom > edge.bottom + 1 || right > edge.right + 1);
        });
        found.push(...halved.map((part) => `cut: ${named(part)}`));
        continue;
      }
      const tall = element.scrollHeight > element.clientHeight + 1 && /hidden|clip/.test(style.overflowY);
      const cut = element.scrollWidth > element.clientWidth + 1 || tall;
      if (cut && (element.textContent ?? "").trim() !== "") found.push(`cut: ${named(element)}`);
    }
    return found;
  });
}
