import { paths } from "../../paths.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Halted } from "./money/halted.tsx";
import { DeskKeys, DeskOpeners } from "./shortcut-help.tsx";

/** The places of the back office, in the order of the row. */
const places = [
  { key: "overview", to: paths.admin },
  { key: "transactions", to: paths.adminTransactions },
  { key: "payouts", to: paths.adminPayouts },
  { key: "money", to: paths.adminMoney },
  { key: "reconciliation", to: paths.adminReconciliation },
  { key: "users", to: paths.adminUsers },
  { key: "logs", to: paths.adminActivityLogs },
  { key: "email", to: paths.adminEmail },
] as const;

export type DeskPlace = (typeof places)[number]["key"];

/**
 * The back office's own row of links, with the banner under it while outgoing money is stopped. `at` is the place its page belongs
 * to; on that place's own address it is the page.
 */
export function DeskNav({ at, within = false }: { at: DeskPlace; within?: boolean }) {
  const t = useT();
  return (
    <>
      <div className="flex min-w-0 items-center">
        <nav aria-label={t("admin.nav.label")} className="-mx-1 min-w-0 grow overflow-x-auto">
          <ul className="flex gap-1 px-1 py-1">
            {places.map(({ key, to }) => (
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
        <DeskOpeners />
        <DeskKeys places={places.map(({ key, to }) => ({ to, label: t(`admin.nav.${key}`) }))} />
      </div>
      <Halted link={at !== "money"} />
    </>
  );
}
