/** The server's HTML of each row, before scripts and the reader changed it. */
const sentRows = new WeakMap<Element, string>();

const rowsIn = (box: ParentNode) => [...box.querySelectorAll<HTMLElement>("li[id]")];

/** Remembers the rows as they came with the page. */
export function rememberRows(box: ParentNode): void {
  for (const row of rowsIn(box)) sentRows.set(row, row.outerHTML);
}

/**
 * Puts the list's new HTML in place of what `box` shows. Rows that have not changed stay the same elements. An open menu stays open, and the
 * focus stays where it was, also if its row has moved or was made again; so does what is scrolled.
 */
export function swapRows(box: HTMLElement, fresh: ParentNode): void {
  const former = new Map(rowsIn(box).map((row) => [row.id, row]));
  const focus = placeOfFocus(box);
  // Read before rows are moved out of the box: if the browser lays out the page meanwhile, the window scrolls up.
  const { scrollTop } = box;
  const { scrollX, scrollY } = window;
  for (const row of rowsIn(fresh)) {
    const old = former.get(row.id);
    const html = row.outerHTML;
    if (old !== undefined && sentRows.get(old) === html) {
      row.replaceWith(old);
      continue;
    }
    sentRows.set(row, html);
    const menu = row.querySelector("details");
    if (menu !== null && old?.querySelector("details")?.open) menu.open = true;
  }
  box.replaceChildren(...fresh.children);
  box.scrollTop = scrollTop;
  if (focus !== undefined) restoreFocus(box, focus);
  if (window.scrollY !== scrollY) scrollTo(scrollX, scrollY);
}

type FocusPlace = { row: string; at: number };

const focusable = (row: Element): Element[] => [...row.querySelectorAll("a, summary")];

function placeOfFocus(box: HTMLElement): FocusPlace | undefined {
  const active = document.activeElement;
  const row = box.contains(active) ? active?.closest("li[id]") : null;
  return row && active ? { row: row.id, at: focusable(row).indexOf(active) } : undefined;
}

/** A row that has left the list gives the focus to the list. */
function restoreFocus(box: HTMLElement, { row, at }: FocusPlace): void {
  const found = rowsIn(box).find(({ id }) => id === row);
  const target = found === undefined ? undefined : focusable(found)[at];
  const next = target ?? box.querySelector("a");
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}
