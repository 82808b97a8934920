import { paths } from "../../../paths.ts";
import { useT } from "../../../ui/frame/i18n.tsx";

/** Where the typed text may be searched for; only transactions have codes. */
const paletteSearches = [
  { key: "transactions", asks: `${paths.adminTransactions}?q=`, codes: true },
  { key: "users", asks: `${paths.adminUsers}?q=`, codes: false },
  { key: "logs", asks: `${paths.adminActivityLogs}?user=`, codes: false },
] as const;

const paletteOptionClasses =
  "flex min-h-11 cursor-pointer items-center gap-2 rounded-control px-3 py-2 aria-selected:bg-brand-soft [[hidden]]:hidden";

/** The palette of the back office (`enhance/backoffice/palette.ts`): its sections, and the searches of its pages. */
export function Palette({ places }: { places: Array<{ to: string; label: string }> }) {
  const t = useT();
  return (
    <dialog
      id="backoffice-palette"
      aria-label={t("admin.palette.title")}
      className="mx-auto mt-[10vh] mb-auto w-[calc(100%-2rem)] max-w-lg rounded-card border border-line bg-card text-ink shadow-lift backdrop:bg-black/40"
    >
      <div className="grid gap-2 p-3">
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls="backoffice-palette-list"
          aria-label={t("admin.palette.title")}
          placeholder={t("admin.palette.hint")}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="min-h-11 w-full rounded-control border border-edge bg-card px-3 py-2 text-base text-ink placeholder:text-quiet"
        />
        <div
          id="backoffice-palette-list"
          role="listbox"
          tabIndex={-1}
          aria-label={t("admin.palette.list")}
          className="grid max-h-[60vh] overflow-y-auto"
        >
          {places.map(({ to, label }, at) => (
            <div
              key={to}
              id={`backoffice-place-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected="false"
              data-to={to}
              className={paletteOptionClasses}
            >
              {label}
            </div>
          ))}
          {paletteSearches.map(({ key, asks, codes }) => (
            <div
              key={key}
              id={`backoffice-search-${key}`}
              role="option"
              tabIndex={-1}
              aria-selected="false"
              hidden
              data-asks={asks}
              data-codes={codes || undefined}
              className={paletteOptionClasses}
            >
              <span className="shrink-0">{t(`admin.palette.search.${key}`)}</span>
              <strong data-words className="truncate" />
            </div>
          ))}
        </div>
      </div>
    </dialog>
  );
}
