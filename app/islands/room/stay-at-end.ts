import { type RefObject, useEffect } from "react";

/** Less than this away from the end, in CSS pixels, still is at the end: zoomed pages scroll by fractions. */
const slack = 8;

/**
 * Shows the end of a scrolling list whenever `reason` changes, and keeps it in sight when the list is given another size
 * while it was there: by a phone's keyboard, by turning the phone, by text that wraps anew.
 */
export function useStayAtEnd(list: RefObject<HTMLElement | null>, reason: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the reason itself is not looked at
  useEffect(() => {
    if (list.current !== null) showEnd(list.current);
  }, [reason]);
  useEffect(() => {
    const box = list.current;
    if (box === null) return;
    let atEnd = true;
    const look = () => {
      atEnd = box.scrollHeight - box.clientHeight - box.scrollTop < slack;
    };
    const resized = new ResizeObserver(() => {
      if (atEnd) showEnd(box);
    });
    for (const watched of [box, ...box.children]) resized.observe(watched);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      resized.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [list]);
}

function showEnd(box: HTMLElement): void {
  box.scrollTop = box.scrollHeight;
}
