import type { ReactNode } from "react";

/**
 * Rows in one frame, with a hairline between them. `continued`: another group follows directly and closes the frame, so the last row has a
 * line too.
 */
export function RowGroup(props: { title?: string; continued?: boolean; children: ReactNode }) {
  const { title, continued = false } = props;
  const frame = continued ? "rounded-t-card border-b-0" : "rounded-card";
  const rows = (
    <div className={`border border-line bg-card px-3.5 ${frame}`}>
      <div className={`divide-y divide-line border-line ${continued ? "border-b" : ""}`}>
        {props.children}
      </div>
    </div>
  );
  if (title === undefined) return rows;
  return (
    <section className="grid gap-1.5">
      <h2 className="px-1 text-sm font-semibold text-quiet">{title}</h2>
      {rows}
    </section>
  );
}
