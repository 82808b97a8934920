import type { LucideIcon } from "lucide-react";

/** A picture beside a word, as high as the line; it says nothing by itself, so screen readers pass it by. */
export function Icon({ of: Picture, className = "size-5" }: { of: LucideIcon; className?: string }) {
  return <Picture aria-hidden="true" strokeWidth={2} className={`shrink-0 ${className}`} />;
}
