import type { ReactNode } from "react";

/** Facts in pairs: what it is, and how much or which, below it where both are too long. Sums stand right, in figures of one width. */
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
