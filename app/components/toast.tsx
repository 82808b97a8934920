import { useT, useText } from "./i18n.tsx";

const looks = {
  success: "border-good bg-good-soft text-good",
  error: "border-bad bg-bad-soft text-bad",
  info: "border-brand bg-brand-soft text-ink",
};

/**
 * The message the page before left. It stands in the page's flow, so that it covers nothing where no script can take it
 * away, and stays until dismissed or left: no one has to read against a clock.
 */
export function ToastRegion(props: {
  toast: {
    kind: keyof typeof looks;
    key: string;
    params?: Record<string, string | number> | undefined;
  } | null;
}) {
  const t = useT();
  const text = useText();
  const { toast } = props;
  return (
    <div
      data-toasts
      className="pointer-events-none sticky top-0 z-30 mx-auto max-w-6xl px-4"
      role={toast?.kind === "error" ? "alert" : "status"}
    >
      {toast && (
        <div
          className={`pointer-events-auto mt-3 flex items-center gap-2 rounded-lg border px-4 py-1 font-semibold shadow-lg ${looks[toast.kind]}`}
        >
          <p className="mr-auto py-2 wrap-anywhere">{text(toast.key, toast.params)}</p>
          <button
            type="button"
            hidden
            data-dismiss
            aria-label={t("chat.close")}
            className="grid size-11 shrink-0 cursor-pointer place-items-center"
          >
            <span aria-hidden>✕</span>
          </button>
        </div>
      )}
    </div>
  );
}
