import type { ReactNode } from "react";

/** Facts in pairs: what it is, and how much or which. Sums stand right, in figures of one width. */
export function Facts(props: { rows: Array<{ label: string; value: ReactNode; strong?: boolean }> }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 tabular-nums">
      {props.rows.map(({ label, value, strong }) => (
        <div key={label} className={`contents ${strong ? "text-lg font-bold" : ""}`}>
          <dt className={strong ? "" : "text-quiet"}>{label}</dt>
          <dd className="text-right font-semibold wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
