import { useText } from "./i18n.tsx";

const looks = {
  success: "border-good bg-good-soft text-good",
  error: "border-bad bg-bad-soft text-bad",
  info: "border-brand bg-brand-soft text-ink",
};

/** The message the page before left. It stays until dismissed or left: no one has to read against a clock. */
export function ToastRegion(props: {
  toast: {
    kind: keyof typeof looks;
    key: string;
    params?: Record<string, string | number> | undefined;
  } | null;
}) {
  const text = useText();
  const { toast } = props;
  return (
    <div
      data-toasts
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 grid justify-items-center gap-2 p-4 sm:justify-items-end"
      role={toast?.kind === "error" ? "alert" : "status"}
    >
      {toast && (
        <p
          className={`pointer-events-auto max-w-md rounded-lg border px-4 py-3 font-semibold shadow-lg ${looks[toast.kind]}`}
        >
          {text(toast.key, toast.params)}
        </p>
      )}
    </div>
  );
}
