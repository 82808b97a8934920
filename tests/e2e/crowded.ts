import type { Page } from "@playwright/test";

/**
 * What of a page has no room: words that a clamp cuts off, words and icons that lie on one another, and buttons whose words are broken or
 * stick out. Each is said once; what was there before (`asBefore`) is not said, because it is so on purpose.
 */
export async function findCrowding(page: Page, asBefore: string[] = []): Promise<string[]> {
  const found = [...(await page.evaluate(findOverlaps)), ...(await page.evaluate(findBrokenWords))];
  return [...new Set(found)].filter((one) => !asBefore.includes(one));
}

/** Run in the page: clamps that cut, and words and icons that lie on one another. */
function findOverlaps(): string[] {
  type Mark = { owner: Element; box: DOMRect; said: string };
  const said = (text: string) => `“${text.trim().replace(/\s+/g, " ").slice(0, 40)}”`;
  /** What lies over the page on purpose has its own layer. */
  const layerOf = (element: Element | null): Element | null => {
    for (let at = element; at !== null; at = at.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(at).position) || at.matches("dialog")) return at;
    }
    return null;
  };
  /** The part of a box that what holds it shows; nothing of what only screen readers are to find. */
  const seen = (owner: Element, { left, top, right, bottom }: DOMRect): DOMRect | null => {
    let box = { left, top, right, bottom };
    for (let at: Element | null = owner; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      if (overflowX !== "visible" || overflowY !== "visible") {
        const edge = at.getBoundingClientRect();
        box = {
          left: Math.max(box.left, edge.left),
          top: Math.max(box.top, edge.top),
          right: Math.min(box.right, edge.right),
          bottom: Math.min(box.bottom, edge.bottom),
        };
      }
      if (position === "fixed") break;
    }
    const width = box.right - box.left;
    const height = box.bottom - box.top;
    return width > 2 && height > 2 ? new DOMRect(box.left, box.top, width, height) : null;
  };
  const found: string[] = [];
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    if (getComputedStyle(element).webkitLineClamp === "none" || !element.checkVisibility()) continue;
    if (element.scrollHeight > element.clientHeight + 1)
      found.push(`cut after some lines: ${said(element.textContent ?? "")}`);
  }
  const marks: Mark[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    const owner = node.parentElement;
    if (owner === null || node.data.trim() === "" || !owner.checkVisibility({ visibilityProperty: true }))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const box = seen(owner, line);
      if (box) marks.push({ owner, box, said: said(node.data) });
    }
  }
  for (const owner of document.body.querySelectorAll("svg")) {
    const box =
      owner.checkVisibility({ visibilityProperty: true }) && seen(owner, owner.getBoundingClientRect());
    if (box) marks.push({ owner, box, said: `the icon of ${said(owner.parentElement?.textContent ?? "")}` });
  }
  const layers = new Map(marks.map(({ owner }) => [owner, layerOf(owner)]));
  for (const [index, a] of marks.entries()) {
    for (const b of marks.slice(index + 1)) {
      if (a.owner === b.owner || layers.get(a.owner) !== layers.get(b.owner)) continue;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      // Lines that are set close share some pixels above and below their letters.
      if (wide > 2 && high > Math.min(a.box.height, b.box.height) * 0.35)
        found.push(`${a.said} lies on ${b.said}`);
    }
  }
  return found;
}

/** Run in the page: buttons whose words stick out, or break within a word that has room on a line of its own. */
function findBrokenWords(): string[] {
  const sidesOf = (element: Element) => {
    const { paddingLeft, paddingRight, borderLeftWidth, borderRightWidth } = getComputedStyle(element);
    const sides = [paddingLeft, paddingRight, borderLeftWidth, borderRightWidth];
    return sides.reduce((sum, side) => sum + Number.parseFloat(side), 0);
  };
  const found: string[] = [];
  for (const button of document.querySelectorAll<HTMLElement>("button, a[class*='rounded-control']")) {
    if (!button.checkVisibility({ visibilityProperty: true }) || button.clientWidth <= 2) continue;
    const edge = button.getBoundingClientRect();
    let around = button.parentElement ?? document.body;
    while (/contents|inline/.test(getComputedStyle(around).display))
      around = around.parentElement ?? document.body;
    const row = around.clientWidth - sidesOf(around);
    // A word that is longer than the whole row may break in it.
    const room = edge.width > row - 3 ? 0 : row - sidesOf(button);
    const broken: string[] = [];
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      const owner = node.parentElement;
      if (owner === null || owner.clientWidth === 1 || !owner.checkVisibility()) continue;
      // A number at a button's corner.
      if (
        getComputedStyle(owner.closest("[data-unread-mark]")?.parentElement ?? owner).position === "absolute"
      )
        continue;
      for (const { index, 0: word } of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
        const length = lines.reduce((sum, { width }) => sum + width, 0);
        const rows = new Set(lines.map(({ top }) => Math.round(top)));
        const out = lines.some(({ left, right }) => left < edge.left - 1 || right > edge.right + 1);
        if (out || (rows.size > 1 && length < room - 8)) broken.push(word);
      }
    }
    const name = (button.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    if (broken.length > 0) found.push(`broken in the button “${name}”: ${broken.join(", ")}`);
  }
  return found;
}
