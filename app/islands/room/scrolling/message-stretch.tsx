import { type ReactNode, type RefCallback, useCallback, useRef } from "react";

/** The browser skips a stretch while it is far away, and assumes a height of about fifty messages until it has measured it. */
const stretchHeightClass = "[contain-intrinsic-height:auto_2500px]";
const skippedStretchClass = "[content-visibility:auto]";

/**
 * The end of the conversation, which is what a page opens at, is laid out at once: an assumed height would move it. In the other stretches
 * each part is laid out alone.
 */
const endClasses =
  "nth-last-[-n+4]:[content-visibility:visible] nth-last-[-n+2]:*:nth-last-[-n+6]:[content-visibility:visible]";

/**
 * A stretch nearer than this is opened. That is sooner than the browser would do it (at one and a half windows): it would then lay out all
 * the stretch's nearby parts at once.
 */
const openStretchMargin = "2000px 0px";

/** One observer for all stretches of a list; pass the result to each as its `ref`. */
export function useStretches(): RefCallback<HTMLElement> {
  const near = useRef<IntersectionObserver>(null);
  return useCallback((stretch: HTMLElement | null) => {
    if (stretch === null) return;
    near.current ??= new IntersectionObserver(toggleStretches, {
      root: stretch.closest("[role=log]"),
      rootMargin: openStretchMargin,
    });
    near.current.observe(stretch);
    return () => near.current?.unobserve(stretch);
  }, []);
}

function toggleStretches(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries)
    target.classList.toggle(skippedStretchClass, !isIntersecting);
}

/** About fifty messages, in parts. */
export function Stretch(props: { watch: RefCallback<HTMLElement>; children: ReactNode }) {
  return (
    <div ref={props.watch} className={`${stretchHeightClass} ${skippedStretchClass} ${endClasses}`}>
      {props.children}
    </div>
  );
}
