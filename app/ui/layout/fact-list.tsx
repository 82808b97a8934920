import type { ReactNode } from "react";

/** Facts as pairs of label and value; the value is below the label if both are too long. Amounts are aligned right, in tabular figures. */
export function FactList(props: { rows: Array<{ label: string; value: ReactNode; strong?: boolean }> }) {
  return (
    <dl className="grid gap-y-2 tabular-nums">
      {props.rows.map(({ label, value, strong }) => (
        <div key={label} className="flex flex-wrap items-baseline gap-x-4">
          <dt className={`wrap-break-word ${strong ? "font-bold" : "text-quiet"}`}>{label}</dt>
          <dd className={`grow text-right wrap-anywhere ${strong ? "text-lg font-bold" : "font-semibold"}`}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
