import type { ReactNode } from "react";
import { useId } from "react";

/**
 * A dialog that an address opens (`?dialog=`): a card of the page, which takes the focus unless its first field does, and a modal dialog if
 * scripts run (app/enhance/in-place/dialogs.ts). `close` is the link that closes it; null for a card that stays.
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
  const Frame = close === null ? "section" : "dialog";
  return (
    <Frame
      aria-labelledby={id}
      tabIndex={-1}
      {...(close !== null && { open: true, "data-close": close })}
      {...(focus && { autoFocus: true })}
      className={`text-ink not-data-modal:static data-modal:fixed data-modal:inset-0 data-modal:m-auto data-modal:max-h-[90vh] data-modal:max-w-[min(42rem,calc(100vw-1.5rem))] data-modal:overflow-y-auto grid w-full max-w-2xl content-start gap-4 justify-self-center rounded-card border bg-card p-4 shadow-lift outline-none sm:p-6 ${props.tone === "bad" ? "border-bad" : "border-edge"}`}
    >
      <h2 id={id} className="text-lg font-bold wrap-anywhere">
        {props.title}
      </h2>
      {props.children}
    </Frame>
  );
}
