import type { ReactNode } from "react";

/** A titled block of a page. */
export function Card(props: {
  title?: string;
  /** Names the block for screen readers where no title is shown. */
  label?: string;
  children: ReactNode;
  id?: string;
  className?: string;
  /** For a few lines that should take little room. */
  tight?: boolean;
}) {
  return (
    <section
      id={props.id}
      aria-label={props.label}
      className={`grid content-start rounded-xl border border-line bg-card ${props.tight ? "gap-1 p-3 sm:p-4" : "gap-4 p-4 sm:p-6"} ${props.className ?? ""}`}
    >
      {props.title && <h2 className="text-lg font-bold">{props.title}</h2>}
      {props.children}
    </section>
  );
}

/** The body of a page, between header and end. */
export function Page(props: { children: ReactNode; narrow?: boolean }) {
  return (
    <main id="main" className={`mx-auto grid gap-6 px-4 py-6 ${props.narrow ? "max-w-md" : "max-w-6xl"}`}>
      {props.children}
    </main>
  );
}
