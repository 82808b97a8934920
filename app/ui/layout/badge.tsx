import type { ReactNode } from "react";

const badgeToneClasses = {
  good: "bg-good-soft text-good",
  brand: "bg-brand-soft text-brand",
  warn: "bg-warn-soft text-warn",
  quiet: "bg-sunk text-quiet",
};

/** A state in one word. */
export function Badge({ tone, children }: { tone: keyof typeof badgeToneClasses; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-3 py-1 text-sm font-bold ${badgeToneClasses[tone]}`}
    >
      {children}
    </span>
  );
}
