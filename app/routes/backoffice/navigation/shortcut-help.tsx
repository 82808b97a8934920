import { Keyboard, Search } from "lucide";
import { Button } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { useVisit } from "../../../ui/frame/visit.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { Palette } from "./palette.tsx";

/** Buttons that open the palette and the list of shortcuts; the script shows them, since neither works without it. */
export function ShortcutButtons() {
  const t = useT();
  return (
    <>
      <Button
        type="button"
        look="plain"
        hidden
        data-opens="backoffice-palette"
        className="ml-2 shrink-0 max-sm:px-3"
      >
        <Icon of={Search} className="size-5" />
        <span className="whitespace-nowrap max-sm:sr-only">{t("admin.palette.open")}</span>
      </Button>
      <Button
        type="button"
        look="quiet"
        hidden
        data-opens="shortcut-help"
        aria-label={t("admin.keys.title")}
        className="shrink-0 px-3 max-sm:hidden"
      >
        <Icon of={Keyboard} className="size-5" />
      </Button>
    </>
  );
}

/** The keyboard of the back office: its script, and the dialogs that the script shows. */
export function ShortcutDialogs({ places }: { places: Array<{ to: string; label: string }> }) {
  const { backoffice } = useVisit();
  return (
    <>
      <template data-backoffice>
        <Palette places={places} />
        <ShortcutList />
      </template>
      <script type="module" src={backoffice} />
    </>
  );
}

const shortcutKeys = [
  { does: "next", keys: ["j"] },
  { does: "previous", keys: ["k"] },
  { does: "enter", keys: ["Enter"] },
  { does: "search", keys: ["/"] },
  { does: "list", keys: ["?"] },
  { does: "goTo", keys: ["Ctrl+K", "⌘K"] },
] as const;

function ShortcutList() {
  const t = useT();
  return (
    <dialog
      id="shortcut-help"
      aria-labelledby="shortcut-help-title"
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-card text-ink shadow-lift backdrop:bg-black/40"
    >
      <div className="grid gap-4 p-4 sm:p-6">
        <h2 id="shortcut-help-title" className="text-lg font-bold">
          {t("admin.keys.title")}
        </h2>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-6 gap-y-2">
          {shortcutKeys.map((one) => (
            <div key={one.does} className="contents">
              <dt className="flex gap-2">
                {one.keys.map((key) => (
                  <kbd
                    key={key}
                    className="rounded-control border border-edge bg-sunk px-2 font-mono text-sm"
                  >
                    {key}
                  </kbd>
                ))}
              </dt>
              <dd>{t(`admin.keys.${one.does}`)}</dd>
            </div>
          ))}
        </dl>
        <div>
          <label className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
            <input
              type="checkbox"
              data-keys-on
              aria-describedby="shortcut-help-hint"
              className="size-5 shrink-0 accent-brand"
            />
            {t("admin.keys.on")}
          </label>
          <p id="shortcut-help-hint" className="pl-8 text-sm text-quiet">
            {t("admin.keys.onHint", { keys: "Ctrl+K" })}
          </p>
        </div>
        <Button type="button" look="plain" autoFocus data-shuts>
          {t("chat.close")}
        </Button>
      </div>
    </dialog>
  );
}
