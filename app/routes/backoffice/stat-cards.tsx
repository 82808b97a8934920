import { formatMoney } from "#format";
import type { AdminStats } from "#views/escrow";
import { useT } from "../../ui/frame/i18n.tsx";

/** Midman in three figures; the volume is the total price of trades that buyers have actually paid for, in whole ₮. */
export function StatCards(props: AdminStats) {
  const t = useT();
  const figures = [
    { label: t("admin.overview.users"), value: props.totalUsers.toLocaleString("en-US") },
    { label: t("admin.overview.transactions"), value: props.totalTransactions.toLocaleString("en-US") },
    { label: t("admin.overview.volume"), value: formatMoney(props.totalVolume) },
  ];
  return (
    <section aria-label={t("admin.overview.stats")}>
      <dl className="grid gap-3 sm:grid-cols-3">
        {figures.map(({ label, value }) => (
          <div key={label} className="grid gap-1 rounded-card border border-line bg-card p-4 sm:p-6">
            <dt className="text-sm text-quiet">{label}</dt>
            <dd className="text-2xl font-extrabold tracking-tight tabular-nums wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
