import { findNextMark, type LineProps, tradeMarks } from "./trade-line.tsx";

/** The progress of a trade as six segments, for the eye only: words beside it say the same. */
export function ProgressSegments(props: LineProps) {
  const next = findNextMark(props);
  return (
    <div aria-hidden="true" className="flex gap-1 px-3 pb-1">
      {tradeMarks.map((mark) => {
        const look = props.done.includes(mark) ? "bg-khadag" : mark === next ? "bg-khadag/40" : "bg-line";
        return <span key={mark} className={`h-1 grow rounded-full ${look}`} />;
      })}
    </div>
  );
}
