import { paths } from "../../../paths.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { HaltBanner } from "../money/halt-banner.tsx";
import { ShortcutButtons, ShortcutDialogs } from "./shortcut-help.tsx";

/** The sections of the back office, in the order of the navigation. */
const backofficePlaces = [
  { key: "overview", to: paths.admin },
  { key: "transactions", to: paths.adminTransactions },
  { key: "payouts", to: paths.adminPayouts },
  { key: "money", to: paths.adminMoney },
  { key: "reconciliation", to: paths.adminReconciliation },
  { key: "users", to: paths.adminUsers },
  { key: "logs", to: paths.adminActivityLogs },
  { key: "email", to: paths.adminEmail },
] as const;

export type BackofficePlace = (typeof backofficePlaces)[number]["key"];

/**
 * The back office's navigation, with the banner under it while outgoing money is halted. `at` is the section that the page belongs to;
 * `within` is true for a page below the section's own.
 */
export function BackofficeNavigation({ at, within = false }: { at: BackofficePlace; within?: boolean }) {
  const t = useT();
  return (
    <>
      <div className="flex min-w-0 items-center">
        <nav aria-label={t("admin.nav.label")} className="-mx-1 min-w-0 grow overflow-x-auto">
          <ul className="flex gap-1 px-1 py-1">
            {backofficePlaces.map(({ key, to }) => (
              <li key={key}>
                <a
                  href={to}
                  aria-current={key === at ? (within ? "true" : "page") : undefined}
                  className={`inline-flex min-h-11 items-center rounded-control px-3 font-semibold whitespace-nowrap no-underline xl:px-2 aria-[current]:[scroll-initial-target:nearest] ${key === at ? "bg-brand-soft text-ink" : "text-quiet hover:text-ink"}`}
                >
                  {t(`admin.nav.${key}`)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <ShortcutButtons />
        <ShortcutDialogs
          places={backofficePlaces.map(({ key, to }) => ({ to, label: t(`admin.nav.${key}`) }))}
        />
      </div>
      <HaltBanner link={at !== "money"} />
    </>
  );
}
