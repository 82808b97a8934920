import { ChevronDown } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "../icon.tsx";

/** The line that opens a folded part; high enough for a thumb. */
export function Summary({ children, danger = false }: { children: ReactNode; danger?: boolean }) {
  return (
    <summary
      className={`flex min-h-11 cursor-pointer items-center gap-2 py-2.5 font-semibold ${danger ? "text-bad" : "text-brand"}`}
    >
      <span className="mr-auto min-w-0 wrap-anywhere">{children}</span>
      <Icon of={ChevronDown} className="size-5 transition [details[open]>summary>&]:rotate-180" />
    </summary>
  );
}
