import { SpokenContext } from "../forms/button.tsx";

/** Tabs of a page; each has its own address, so no script is needed. */
export function Tabs(props: {
  label: string;
  /** `of` tells screen readers what a tab is about, where another link of the page has the same words. */
  tabs: Array<{ to: string; label: string; current: boolean; of?: string }>;
}) {
  return (
    <nav aria-label={props.label} className="flex flex-wrap gap-1 rounded-control bg-sunk p-1">
      {props.tabs.map(({ to, label, current, of }) => (
        <a
          key={to}
          href={to}
          aria-current={current ? "page" : undefined}
          className={`inline-flex min-h-11 flex-1 items-center justify-center rounded-lg px-3 text-center font-semibold no-underline ${current ? "bg-card text-ink shadow-sm dark:bg-brand-soft" : "text-quiet hover:text-ink"}`}
        >
          {label}
          {of !== undefined && <SpokenContext of={of} />}
        </a>
      ))}
    </nav>
  );
}
