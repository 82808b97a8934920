import type { ReactNode } from "react";

/** A section of the landing page with its own anchor. */
export function Section(props: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={props.id} className="grid min-w-0 gap-4">
      <h2 className="text-2xl font-extrabold tracking-tight">{props.title}</h2>
      {props.children}
    </section>
  );
}
