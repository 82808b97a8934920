import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Less than this away from the end, in CSS pixels, still is at the end. */
const endTolerancePixels = 32;

/** Without a scroll for so long, in milliseconds, the reader stands still. */
const scrollIdleMs = 100;

type ScrollAnchor = { element: Element; bottom: number };

/**
 * Where the reader is in a list that is turned round (column-reverse: its scrollTop is 0 at the end and negative above). The
 * box itself stays at its end, and stays where it is when older messages come in at its head; what comes in at its end
 * while somebody reads further up is made good here. `end` stands below everything in it. `away` is the last `seq` there was
 * when the reader left the end, or null at the end. A message of one's own shows the end. Starts where the new messages begin,
 * if that is out of sight.
 */
export function useScrollPlace(
  list: RefObject<HTMLElement | null>,
  end: RefObject<HTMLElement | null>,
  last: number,
  waiting: number,
): { away: number | null; toEnd: () => void } {
  const [away, setAway] = useState<number | null>(null);
  const anchor = useRef<ScrollAnchor>(null);
  const latest = useRef(last);
  const before = useRef(waiting);
  latest.current = last;

  const toEnd = useCallback(() => {
    anchor.current = null;
    list.current?.scrollTo(0, 0);
  }, [list]);

  useLayoutEffect(() => {
    if (waiting > before.current) toEnd();
    before.current = waiting;
    holdAnchor(list.current, anchor.current);
  });

  useEffect(() => {
    const box = list.current;
    if (box === null) return;
    let still: ReturnType<typeof setTimeout> | undefined;
    let isAway = false;
    const stand = (further: boolean) => {
      isAway = further;
      if (!further) anchor.current = null;
      setAway((since) => (further ? (since ?? latest.current) : null));
    };
    const look = () => {
      // Looked for once the reader stops: in mid-scroll nobody sees one message's height, and every look costs a slow phone much.
      if (movedBy(box, anchor.current) !== 0) anchor.current = null;
      clearTimeout(still);
      still = setTimeout(() => {
        if (isAway) anchor.current ??= anchorIn(box);
      }, scrollIdleMs);
    };
    // Told by the browser: to ask it with every step of a scroll would make it lay the list out twice.
    const seen = new IntersectionObserver((entries) => stand(entries.at(-1)?.isIntersecting === false), {
      root: box,
      rootMargin: `0px 0px ${endTolerancePixels}px 0px`,
    });
    if (end.current) seen.observe(end.current);
    const resized = new ResizeObserver(() => holdAnchor(box, anchor.current));
    for (const watched of [box, ...box.children]) resized.observe(watched);
    box.addEventListener("scroll", look, { passive: true });
    const above = topOf(box.querySelector("[data-first-new]")) - topOf(box);
    if (above < 0 && box.scrollTop === 0) box.scrollTop = above;
    // At once, also where the browser itself went to it: what the page does not hold yet comes in at the end. A page that is
    // opened in the background is told nothing until somebody looks at it.
    stand(box.scrollTop < -endTolerancePixels);
    if (isAway) anchor.current = anchorIn(box);
    return () => {
      clearTimeout(still);
      seen.disconnect();
      resized.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [list, end]);

  return { away, toEnd };
}

const topOf = (element: Element | null) => element?.getBoundingClientRect().top ?? Number.NaN;

/** The first message that reaches into sight, by its lower edge: its upper one moves when its group grows. */
function anchorIn(box: HTMLElement): ScrollAnchor | null {
  const { top } = box.getBoundingClientRect();
  let element = box.querySelector("[data-said]");
  // From the whole to a stretch, to a part, to the message: those out of sight are not asked, which would lay them out.
  for (let level = 0; level < 3 && element !== null; level++) element = firstBelow(top, element.children);
  return element && { element, bottom: element.getBoundingClientRect().bottom - top };
}

/** The first of these, which stand one below the other, that ends below `top`. */
function firstBelow(top: number, elements: HTMLCollection): Element | null {
  let at = 0;
  for (let to = elements.length; at < to; ) {
    const middle = (at + to) >> 1;
    if ((elements[middle]?.getBoundingClientRect().bottom ?? 0) > top) to = middle;
    else at = middle + 1;
  }
  return elements[at] ?? null;
}

/** How far the anchor has moved since it was looked for, in whole CSS pixels; 0 without one that is still there. */
function movedBy(box: HTMLElement, anchor: ScrollAnchor | null): number {
  if (!anchor?.element.isConnected) return 0;
  const { bottom } = anchor.element.getBoundingClientRect();
  return Math.trunc(bottom - box.getBoundingClientRect().top - anchor.bottom);
}

/** Brings the anchor back to where it was. */
function holdAnchor(box: HTMLElement | null, anchor: ScrollAnchor | null): void {
  if (box === null) return;
  const moved = movedBy(box, anchor);
  if (moved !== 0) box.scrollTop += moved;
}
