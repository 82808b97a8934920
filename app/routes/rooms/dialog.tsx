import type { ReactNode } from "react";
import { useId } from "react";

/**
 * A dialog that an address opens (`?dialog=`): a card above the page, which takes the focus unless its first field does. `close` is the
 * link that closes it, which Escape follows too if scripts run; null for a card that stays.
 */
export function Dialog(props: {
  title: string;
  close: string | null;
  children: ReactNode;
  tone?: "plain" | "bad";
  focus?: boolean;
}) {
  const id = useId();
  const { close, focus = close !== null } = props;
  const opened = close === null ? {} : ({ role: "dialog", "data-close": close } as const);
  return (
    <section
      aria-labelledby={id}
      tabIndex={-1}
      {...opened}
      {...(focus && { autoFocus: true })}
      className={`grid w-full max-w-2xl content-start gap-4 justify-self-center rounded-card border bg-card p-4 shadow-lift outline-none sm:p-6 ${props.tone === "bad" ? "border-bad" : "border-edge"}`}
    >
      <h2 id={id} className="text-lg font-bold wrap-anywhere">
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}
