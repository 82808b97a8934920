import type { IconNode } from "lucide";
import { createElement } from "react";

/**
 * A picture beside a word; it says nothing by itself, so screen readers pass it by. Strokes are set by the class: said once in
 * the stylesheet instead of with every picture of a page.
 */
export function Icon({ of, className = "size-5" }: { of: IconNode; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`icon ${className}`}>
      {of.map(([tag, attributes], at) => createElement(tag, { key: at, ...attributes }))}
    </svg>
  );
}
