import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Less than this away from the end, in CSS pixels, still is at the end. */
const slack = 32;

type Anchor = { element: Element; bottom: number };

/**
 * Where the reader is in a list that is turned round (column-reverse: its scrollTop is 0 at the end and negative above). The
 * box itself stays at its end, and stays where it is when older messages come in at its head; what comes in at its end
 * while somebody reads further up is made good here. `away` is the last `seq` there was when the reader left the end, or
 * null at the end. A message of one's own shows the end. Starts where the new messages begin, if that is out of sight.
 */
export function usePlace(
  list: RefObject<HTMLElement | null>,
  last: number,
  waiting: number,
): { away: number | null; toEnd: () => void } {
  const [away, setAway] = useState<number | null>(null);
  const anchor = useRef<Anchor>(null);
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
    hold(list.current, anchor.current);
  });

  useEffect(() => {
    const box = list.current;
    if (box === null) return;
    const look = () => {
      const isAway = box.scrollTop < -slack;
      anchor.current = isAway ? anchorIn(box) : null;
      setAway((since) => (isAway ? (since ?? latest.current) : null));
    };
    const resized = new ResizeObserver(() => hold(box, anchor.current));
    for (const watched of [box, ...box.children]) resized.observe(watched);
    box.addEventListener("scroll", look, { passive: true });
    const above = topOf(box.querySelector("[data-first-new]")) - topOf(box);
    if (above < 0 && box.scrollTop === 0) box.scrollTop = above;
    return () => {
      resized.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [list]);

  return { away, toEnd };
}

const topOf = (element: Element | null) => element?.getBoundingClientRect().top ?? Number.NaN;

/** The first message that is wholly in sight, by its lower edge: its upper one moves when its group grows. */
function anchorIn(box: HTMLElement): Anchor | null {
  const { top } = box.getBoundingClientRect();
  const parts = [...box.querySelectorAll("ol")];
  // Of hundreds of parts only a few are asked where they are.
  let at = 0;
  for (let to = parts.length; at < to; ) {
    const middle = (at + to) >> 1;
    if ((parts[middle]?.getBoundingClientRect().bottom ?? 0) > top) to = middle;
    else at = middle + 1;
  }
  for (const element of parts.slice(at, at + 2).flatMap((part) => [...part.children])) {
    const rect = element.getBoundingClientRect();
    if (rect.top >= top) return { element, bottom: rect.bottom - top };
  }
  return null;
}

/** Brings the anchor back to where it was. */
function hold(box: HTMLElement | null, anchor: Anchor | null): void {
  if (box === null || !anchor?.element.isConnected) return;
  const { bottom } = anchor.element.getBoundingClientRect();
  const moved = bottom - box.getBoundingClientRect().top - anchor.bottom;
  if (Math.abs(moved) >= 1) box.scrollTop += moved;
}
