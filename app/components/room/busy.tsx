import { useT } from "../i18n.tsx";

/** A person's own choice to be shown as busy; the room's script keeps it, and shows it with the presence it stands in. */
export function BusyButton() {
  const t = useT();
  return (
    <button
      type="button"
      id="busy"
      data-busy
      aria-pressed="false"
      className="min-h-11 cursor-pointer rounded-full px-2 font-semibold text-brand underline underline-offset-4 aria-pressed:bg-bad-soft aria-pressed:text-bad"
    >
      {t("room.busy")}
    </button>
  );
}
