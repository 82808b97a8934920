import { ChevronRight } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "../layout/icon.tsx";

/** A label with its value at the end of the line, or below it if both are long; `children` is an arrow. High enough for a thumb. */
export function RowLine(props: { label: ReactNode; value?: ReactNode; children?: ReactNode }) {
  return (
    <span className="flex min-h-12 items-center gap-2 py-2">
      <span className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-3">
        <span className="min-w-0 wrap-anywhere">{props.label}</span>
        {props.value !== undefined && (
          <span className="min-w-0 text-sm text-quiet wrap-anywhere">{props.value}</span>
        )}
      </span>
      {props.children}
    </span>
  );
}

/** A row that states one fact; with `to` it is a link to where the fact is told in full. */
export function FactRow(props: { label: ReactNode; value?: ReactNode; to?: string | undefined }) {
  const { label, value, to } = props;
  if (to === undefined) return <RowLine label={label} value={value} />;
  return (
    <a href={to} className="block text-ink no-underline">
      <RowLine label={label} value={value}>
        <Icon of={ChevronRight} className="size-5 text-quiet" />
      </RowLine>
    </a>
  );
}
