import { type ReactNode, type RefCallback, useCallback, useRef } from "react";

/** A browser passes it by while it is far away, and takes it for a height of some fifty messages before it saw them. */
const stretchHeightClass = "[contain-intrinsic-height:auto_2500px]";
const skippedStretchClass = "[content-visibility:auto]";

/**
 * Nearer than this a stretch is open. Sooner than a browser would open it by itself (one and a half windows): together with it
 * those of its parts that are in reach would be laid out all at once.
 */
const openStretchMargin = "2000px 0px";

/** One observer for all the stretches of a list, given to each as its `ref`. */
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

/** Some fifty messages, in parts. */
export function Stretch(props: { watch: RefCallback<HTMLElement>; children: ReactNode }) {
  return (
    <div ref={props.watch} className={`${stretchHeightClass} ${skippedStretchClass}`}>
      {props.children}
    </div>
  );
}
