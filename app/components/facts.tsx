import type { ReactNode } from "react";

/** Facts in pairs: what it is, and how much or which. Sums stand right, in figures of one width. */
export function Facts(props: { rows: Array<{ label: string; value: ReactNode; strong?: boolean }> }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,1fr)_minmax(0,auto)] items-baseline gap-x-4 gap-y-2 tabular-nums">
      {props.rows.map(({ label, value, strong }) => (
        <div key={label} className="contents">
          <dt className={`wrap-break-word ${strong ? "font-bold" : "text-quiet"}`}>{label}</dt>
          <dd className={`text-right wrap-anywhere ${strong ? "text-lg font-bold" : "font-semibold"}`}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
