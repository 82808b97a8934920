import type { ReactNode } from "react";

/** The line that opens a folded part; high enough for a thumb. */
export function Summary({ children, danger = false }: { children: ReactNode; danger?: boolean }) {
  return (
    <summary className={`min-h-11 cursor-pointer py-2.5 font-semibold ${danger ? "text-bad" : "text-brand"}`}>
      {children}
    </summary>
  );
}
