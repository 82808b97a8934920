import { formatMoment } from "#format";

/** A time in the back office's tables and lists, `2026-11-24 14:09`, which no line breaks in. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="tabular-nums">
      {formatMoment(at)}
    </time>
  );
}
