import { useT } from "../../../ui/frame/i18n.tsx";

/** A person's choice to be shown as busy; the room's script stores it, and shows it with their presence. */
export function BusyButton() {
  const t = useT();
  return (
    <button
      type="button"
      id="busy"
      data-busy
      aria-pressed="false"
      className="ml-2 min-h-11 cursor-pointer rounded-full border border-edge px-3 text-ink aria-pressed:border-bad aria-pressed:bg-bad-soft aria-pressed:text-bad"
    >
      {t("room.busy")}
    </button>
  );
}
