import { X } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "../layout/icon.tsx";
import { type NoticeTone, noticeTones } from "../layout/notice.tsx";
import { useT, useText } from "./i18n.tsx";

export interface ToastShown {
  kind: "success" | "error" | "info";
  key: string;
  params?: Record<string, string | number> | undefined;
}

const toneOf: Record<ToastShown["kind"], NoticeTone> = { success: "good", error: "bad", info: "info" };

/**
 * The message that the previous page left. Without scripts it is in the page's flow, so that it covers nothing, and stays until the page is
 * left. The script (app/enhance/toast.ts) lets it float, and leave by itself unless it tells of an error.
 */
export function ToastRegion({ toast }: { toast: ToastShown | null }) {
  return (
    <div
      data-toasts
      className="pointer-events-none sticky top-0 z-30 mx-auto w-full max-w-6xl px-4"
      role={toast?.kind === "error" ? "alert" : "status"}
      aria-atomic="false"
    >
      {toast && <Toast toast={toast} />}
    </div>
  );
}

/** One toast; `action` is a button below its text. */
export function Toast({ toast, action }: { toast: ToastShown; action?: ReactNode }) {
  const t = useT();
  const text = useText();
  const { look, icon } = noticeTones[toneOf[toast.kind]];
  const said = (
    <p className={`wrap-anywhere ${action ? "" : "mr-auto py-2"}`}>{text(toast.key, toast.params)}</p>
  );
  return (
    <div
      data-toast={toast.kind}
      className={`pointer-events-auto mt-3 flex items-center gap-3 rounded-control border py-1 pr-1 pl-4 font-semibold shadow-lift ${look}`}
    >
      <Icon of={icon} />
      {action ? (
        <div className="mr-auto grid justify-items-start pt-2">
          {said}
          {action}
        </div>
      ) : (
        said
      )}
      <button
        type="button"
        hidden
        data-dismiss
        aria-label={t("chat.close")}
        className="grid size-11 shrink-0 cursor-pointer place-items-center"
      >
        <Icon of={X} />
      </button>
    </div>
  );
}
