import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Closer to the end than this, in CSS pixels, counts as at the end. */
const endTolerancePixels = 32;
const endMargin = `0px 0px ${endTolerancePixels}px 0px`;

/** After this long without a scroll event, in ms, the reader has stopped. */
const scrollIdleMs = 100;

type ScrollAnchor = { element: Element; bottom: number };

/**
 * Tracks the reader's position in a list with reversed columns (its scrollTop is 0 at the end and negative above). The browser keeps the
 * box at its end, and keeps its position when older messages are added at the head; this hook compensates for messages added at the end
 * while the reader is further up. `end` is an element below everything in the list. `away` is the last `seq` at the time the reader left
 * the end, or null at the end. A message of the reader's own scrolls to the end, unless the list is there already (no scroll event since
 * the last time): a scroll would force a layout that the next frame repeats. The initial position is where the new messages begin, if that is
 * out of sight.
 */
export function useScrollPlace(
  list: RefObject<HTMLElement | null>,
  end: RefObject<HTMLElement | null>,
  lastSeq: number,
  pendingCount: number,
): { away: number | null; toEnd: () => void } {
  const [away, setAway] = useState<number | null>(null);
  const anchor = useRef<ScrollAnchor>(null);
  const lastSeqRef = useRef(lastSeq);
  const hasScrolled = useRef(true);
  const formerPendingCount = useRef(pendingCount);
  lastSeqRef.current = lastSeq;

  const toEnd = useCallback(() => {
    anchor.current = null;
    if (hasScrolled.current) list.current?.scrollTo(0, 0);
    hasScrolled.current = false;
  }, [list]);

  useLayoutEffect(() => {
    if (pendingCount > formerPendingCount.current) toEnd();
    formerPendingCount.current = pendingCount;
    holdAnchor(list.current, anchor.current);
  });

  useEffect(() => {
    const box = list.current;
    if (box === null) return;
    let idleTimer: ReturnType<typeof setTimeout> | undefined;
    let isAway = false;
    const updateAway = (isNowAway: boolean) => {
      isAway = isNowAway;
      if (!isNowAway) anchor.current = null;
      setAway((since) => (isNowAway ? (since ?? lastSeqRef.current) : null));
    };
    const onScroll = () => {
      hasScrolled.current = true;
      // The anchor is looked for once the reader stops: during a scroll a shift by one message is not noticeable, and every look-up is slow
      // on a cheap phone.
      if (movedBy(box, anchor.current) !== 0) anchor.current = null;
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => {
        if (isAway) anchor.current ??= anchorIn(box);
      }, scrollIdleMs);
    };
    // An observer, because reading the position at every scroll step would lay the list out twice.
    const endObserver = new IntersectionObserver(
      (entries) => updateAway(entries.at(-1)?.isIntersecting === false),
      { root: box, rootMargin: endMargin },
    );
    if (end.current) endObserver.observe(end.current);
    const sizeObserver = new ResizeObserver(() => holdAnchor(box, anchor.current));
    for (const watched of [box, ...box.children]) sizeObserver.observe(watched);
    box.addEventListener("scroll", onScroll, { passive: true });
    const above = topOf(box.querySelector("[data-first-new]")) - topOf(box);
    if (above < 0 && box.scrollTop === 0) box.scrollTop = above;
    // At once, also if the browser itself scrolled there: messages that the page does not have yet are added at the end. In a page opened
    // in the background the observer reports nothing until the page is shown.
    updateAway(box.scrollTop < -endTolerancePixels);
    if (isAway) anchor.current = anchorIn(box);
    return () => {
      clearTimeout(idleTimer);
      endObserver.disconnect();
      sizeObserver.disconnect();
      box.removeEventListener("scroll", onScroll);
    };
  }, [list, end]);

  return { away, toEnd };
}

const topOf = (element: Element | null) => element?.getBoundingClientRect().top ?? Number.NaN;

/** The first message that reaches into the visible area, with its lower edge: the upper edge moves when its group grows. */
function anchorIn(box: HTMLElement): ScrollAnchor | null {
  const { top } = box.getBoundingClientRect();
  let element = box.querySelector("[data-said]");
  // Descends from the list to a stretch, a part and a message; measuring hidden ones would lay them out.
  for (let level = 0; level < 3 && element !== null; level++) element = firstBelow(top, element.children);
  return element && { element, bottom: element.getBoundingClientRect().bottom - top };
}

/** Finds the first of these stacked elements whose lower edge is below `top`, by binary search. */
function firstBelow(top: number, elements: HTMLCollection): Element | null {
  let at = 0;
  for (let to = elements.length; at < to; ) {
    const middle = (at + to) >> 1;
    if ((elements[middle]?.getBoundingClientRect().bottom ?? 0) > top) to = middle;
    else at = middle + 1;
  }
  return elements[at] ?? null;
}

/** How far the anchor has moved since it was chosen, in whole CSS pixels; 0 if it is no longer in the document. */
function movedBy(box: HTMLElement, anchor: ScrollAnchor | null): number {
  if (!anchor?.element.isConnected) return 0;
  const { bottom } = anchor.element.getBoundingClientRect();
  return Math.trunc(bottom - box.getBoundingClientRect().top - anchor.bottom);
}

/** Scrolls the anchor back to where it was. */
function holdAnchor(box: HTMLElement | null, anchor: ScrollAnchor | null): void {
  if (box === null) return;
  const moved = movedBy(box, anchor);
  if (moved !== 0) box.scrollTop += moved;
}
