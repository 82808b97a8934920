import type { IconNode } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** Shown if there is nothing yet: why, and what to do about it. */
export function EmptyState(props: { icon: IconNode; title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-4 rounded-card border border-dashed border-edge px-4 py-10 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-brand-soft text-brand">
        <Icon of={props.icon} className="size-7" />
      </span>
      <p className="max-w-sm font-semibold text-balance">{props.title}</p>
      {props.children}
    </div>
  );
}
