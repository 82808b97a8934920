import type { ReactNode } from "react";

/**
 * Facts as pairs of label and value. A long label takes several lines beside its value; a value for which that leaves too little room is
 * below its label. Amounts are aligned right, in tabular figures.
 */
export function FactList(props: {
  rows: Array<{ label: string; value: ReactNode; strong?: boolean }>;
  /** Close together, where what follows matters more. */
  tight?: boolean;
}) {
  return (
    <dl className={`grid tabular-nums ${props.tight ? "gap-1" : "gap-y-2"}`}>
      {props.rows.map(({ label, value, strong }) => (
        <div key={label} className="flex flex-wrap items-baseline gap-x-4">
          <dt className={`min-w-0 grow basis-36 wrap-break-word ${strong ? "font-bold" : "text-quiet"}`}>
            {label}
          </dt>
          <dd className={`grow text-right wrap-anywhere ${strong ? "text-lg font-bold" : "font-semibold"}`}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
