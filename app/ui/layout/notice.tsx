import { CircleAlert, CircleCheck, type IconNode, Info, TriangleAlert } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export type NoticeTone = "info" | "good" | "warn" | "bad";

export const noticeTones: Record<NoticeTone, { look: string; icon: IconNode }> = {
  info: { look: "border-brand/30 bg-brand-soft text-ink", icon: Info },
  good: { look: "border-good/30 bg-good-soft text-good", icon: CircleCheck },
  warn: { look: "border-warn/30 bg-warn-soft text-warn", icon: TriangleAlert },
  bad: { look: "border-bad/30 bg-bad-soft text-bad", icon: CircleAlert },
};

/** Something a person should know before they continue; icon and colour show the tone, the text says the meaning. */
export function Notice(props: { tone: NoticeTone; title?: string; children?: ReactNode }) {
  const { look, icon } = noticeTones[props.tone];
  return (
    <div className={`flex gap-3 rounded-control border px-4 py-3 ${look}`}>
      <Icon of={icon} className="mt-0.5 size-5" />
      <div className="grid min-w-0 gap-1 wrap-anywhere">
        {props.title && <p className="font-bold">{props.title}</p>}
        {props.children}
      </div>
    </div>
  );
}
