import type { ReactNode } from "react";

/** Numbered steps, each number in a circle; `wide` arranges six of them in two columns. */
export function Steps({ steps, wide }: { steps: Array<{ key: string; body: ReactNode }>; wide?: boolean }) {
  return (
    <ol className={`grid gap-x-8 gap-y-3 ${wide ? "md:grid-flow-col md:grid-rows-[repeat(3,auto)]" : ""}`}>
      {steps.map(({ key, body }, at) => (
        <li key={key} className="grid grid-cols-[2rem_minmax(0,1fr)] items-start gap-3">
          <span
            aria-hidden="true"
            className="grid size-8 place-items-center rounded-full bg-brand-soft font-bold text-brand tabular-nums"
          >
            {at + 1}
          </span>
          <div className="pt-1">{body}</div>
        </li>
      ))}
    </ol>
  );
}
