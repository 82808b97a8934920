import type { IconNode } from "lucide";
import { createElement } from "react";

/**
 * A decorative icon beside a word, hidden from screen readers. Its strokes are set by a class: once in the stylesheet instead of in every
 * icon of a page.
 */
export function Icon({ of, className = "size-5" }: { of: IconNode; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" className={`icon ${className}`}>
      {of.map(([tag, attributes], at) => createElement(tag, { key: at, ...attributes }))}
    </svg>
  );
}
