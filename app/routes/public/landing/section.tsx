import type { ReactNode } from "react";

/** A part of the landing page that an address can lead to. */
export function Section(props: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={props.id} className="grid min-w-0 gap-4">
      <h2 className="text-2xl font-extrabold tracking-tight">{props.title}</h2>
      {props.children}
    </section>
  );
}
