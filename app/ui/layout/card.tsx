import type { ReactNode } from "react";
import { InPlaceForms } from "../frame/in-place.tsx";

/** A titled block of a page. */
export function Card(props: {
  title?: string;
  /** Names the block for screen readers if no title is shown. */
  label?: string;
  children: ReactNode;
  id?: string;
  className?: string;
  /** For a few lines that should take little space. */
  tight?: boolean;
}) {
  return (
    <section
      id={props.id}
      aria-label={props.label}
      className={`grid content-start rounded-card border border-line bg-card ${props.tight ? "gap-1 p-3 sm:p-4" : "gap-4 p-4 sm:p-6"} ${props.className ?? ""}`}
    >
      {props.title && <h2 className="text-lg font-bold">{props.title}</h2>}
      {props.children}
    </section>
  );
}

const pageWidthClasses = { narrow: "max-w-md", text: "max-w-3xl", wide: "max-w-6xl" };

/** The body of a page, between header and footer. `narrow` for one form, `text` for reading, `wide` for the rest. */
export function Page(props: {
  children: ReactNode;
  width?: keyof typeof pageWidthClasses;
  /** The page's forms answer without leaving it, if scripts run. */
  inPlace?: boolean;
}) {
  const { inPlace = false } = props;
  return (
    <main
      id="main"
      tabIndex={-1}
      data-part={inPlace ? "main" : undefined}
      className={`mx-auto grid w-full grow content-start gap-6 px-4 py-6 outline-none sm:py-10 ${pageWidthClasses[props.width ?? "wide"]}`}
    >
      {props.children}
      {inPlace && <InPlaceForms />}
    </main>
  );
}

/** A page's title, with an optional line below and actions beside it. */
export function PageHead(props: { title: string; lead?: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-4">
      <div className="mr-auto grid gap-1">
        <h1 className="text-2xl font-extrabold tracking-tight wrap-anywhere sm:text-3xl">{props.title}</h1>
        {props.lead && <p className="max-w-2xl text-pretty text-quiet">{props.lead}</p>}
      </div>
      {props.children && <div className="flex flex-wrap items-center gap-3">{props.children}</div>}
    </div>
  );
}
