import type { ReactNode } from "react";

/**
 * Whether a member is present. Only the room's script knows: it shows the mark with its word; until then the space is reserved, so that
 * nothing moves.
 */
export function PresenceMark({ of, children }: { of: number; children?: ReactNode }) {
  return (
    <span
      data-presence-of={of}
      className="group invisible inline-flex items-center gap-1.5 whitespace-nowrap data-presence:visible noscript:hidden"
    >
      <span
        aria-hidden="true"
        className="size-2 rounded-full bg-edge group-data-[presence=away]:bg-warn group-data-[presence=busy]:bg-bad group-data-[presence=online]:bg-good"
      />
      <span data-presence-word />
      {children}
    </span>
  );
}
