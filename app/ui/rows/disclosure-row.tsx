import { ChevronRight } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "../layout/icon.tsx";
import { RowLine } from "./fact-row.tsx";

/**
 * A row that opens: what it is about, with its present value at the end. It needs no script. The id is inside, because a browser opens a
 * `<details>` if an address leads to an element in it; `enhance/open-row.ts` does that for older browsers.
 */
export function DisclosureRow(props: {
  id: string;
  label: ReactNode;
  value?: ReactNode;
  children: ReactNode;
  open?: boolean;
  tone?: "plain" | "bad";
}) {
  return (
    <details open={props.open}>
      <summary className={`cursor-pointer ${props.tone === "bad" ? "text-bad" : ""}`}>
        <RowLine label={props.label} value={props.value}>
          <Icon
            of={ChevronRight}
            className="size-5 text-quiet transition [[open]>summary_&]:[transform:rotate(90deg)]"
          />
        </RowLine>
      </summary>
      <div id={props.id} className="grid gap-3 pb-4">
        {props.children}
      </div>
    </details>
  );
}
