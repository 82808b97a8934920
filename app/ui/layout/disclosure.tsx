import { ChevronDown } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

const summaryLookClasses = {
  plain: "",
  danger: "text-bad",
  primary: "rounded-control bg-brand text-brand-ink [[open]>&]:rounded-b-none",
};

/**
 * A section that is collapsed until it is opened; it needs no script. The id is inside, because a browser opens a `<details>` if an address
 * leads to an element in it.
 */
export function Disclosure(props: {
  id?: string;
  summary: ReactNode;
  children: ReactNode;
  open?: boolean;
  /** `primary` if it is the main action here. */
  look?: "plain" | "danger" | "primary";
}) {
  return (
    <details open={props.open} className="rounded-control border border-line bg-card">
      <summary
        className={`flex min-h-12 cursor-pointer items-center gap-3 px-4 py-3 font-semibold ${summaryLookClasses[props.look ?? "plain"]}`}
      >
        <span className="mr-auto min-w-0 wrap-anywhere">{props.summary}</span>
        <Icon of={ChevronDown} className="size-5 transition [[open]>summary_&]:[transform:rotate(180deg)]" />
      </summary>
      <div id={props.id} className={`grid gap-3 px-4 pb-4 ${props.look === "primary" ? "pt-4" : ""}`}>
        {props.children}
      </div>
    </details>
  );
}
