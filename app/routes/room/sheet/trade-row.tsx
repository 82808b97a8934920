import { ChevronRight } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "../../../ui/layout/icon.tsx";

/**
 * A row of the trade that opens: what it is about, with its answer in a word or an amount at the end. It needs no script. The id is inside,
 * because a browser opens a `<details>` if an address leads to an element in it.
 */
export function TradeRow(props: {
  id: string;
  label: ReactNode;
  value?: ReactNode;
  children: ReactNode;
  open?: boolean;
  tone?: "plain" | "bad";
  /** Whether the row ends its group; the line below it is left out. */
  last?: boolean;
}) {
  return (
    <details open={props.open} className={`group ${props.last ? "" : "border-b border-line"}`}>
      <summary
        className={`flex min-h-12 cursor-pointer items-center gap-2 py-2 ${props.tone === "bad" ? "text-bad" : ""}`}
      >
        <span className="mr-auto min-w-0 wrap-anywhere">{props.label}</span>
        {props.value && <span className="shrink-0 text-right text-sm text-quiet">{props.value}</span>}
        <Icon
          of={ChevronRight}
          className="size-5 text-quiet transition group-open:[transform:rotate(90deg)]"
        />
      </summary>
      <div id={props.id} className="grid gap-3 pb-4">
        {props.children}
      </div>
    </details>
  );
}

/** The frame of a group of rows. */
export const rowGroupClasses = "rounded-card border border-line bg-card px-3.5";
