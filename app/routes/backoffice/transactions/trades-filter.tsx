import { moneyFilters, transactionSorts } from "#forms/escrow";
import { paths } from "../../../paths.ts";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { Field, Select } from "../../../ui/forms/field.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";

interface FilterState {
  q?: string | undefined;
  status?: string | undefined;
  money?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: string | undefined;
}

/** Search and filters of the transaction list: a plain GET form, so that every result has an address. */
export function TradesFilter({ state, statuses }: { state: FilterState; statuses: string[] }) {
  const t = useT();
  const text = useText();
  const field = (name: keyof FilterState) => ({
    id: `backoffice-${name}`,
    name,
    errorId: `backoffice-${name}-error`,
    initialValue: state[name],
  });
  const any = { value: "", label: t("admin.trades.any") };
  // The status is visible among the chips; the other filters would be hidden in the closed disclosure.
  const inFold = [state.money, state.from, state.to, state.sort].some(Boolean);
  const word = state.status !== undefined && !statuses.includes(state.status);
  return (
    <search>
      <form action={paths.adminTransactions} className="grid gap-4">
        <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
          <Field
            label={t("admin.trades.search")}
            field={field("q")}
            type="search"
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
          />
          <Button>{t("admin.trades.go")}</Button>
        </div>
        <Disclosure summary={t("admin.trades.filters")} open={inFold || word}>
          <div className="grid gap-3 pt-1 sm:grid-cols-2 lg:grid-cols-3">
            <Select
              label={t("admin.trades.column.status")}
              field={field("status")}
              options={[
                any,
                ...statuses.map((value) => ({ value, label: text(`status.${value}`) })),
                { value: "pending", label: t("admin.trades.word.pending") },
                { value: "confirmed_complete", label: t("admin.trades.word.confirmed_complete") },
              ]}
            />
            <Select
              label={t("admin.trades.money")}
              field={field("money")}
              options={[
                any,
                ...moneyFilters.map((value) => ({
                  value,
                  label: value === "none" ? t("admin.trades.noMoney") : t(`money.${value}`),
                })),
              ]}
            />
            <Select
              label={t("admin.trades.sort")}
              field={field("sort")}
              options={transactionSorts.map((value) => ({
                value: value === "newest" ? "" : value,
                label: t(`admin.trades.sorts.${value}`),
              }))}
            />
            <Field label={t("admin.trades.from")} field={field("from")} type="date" />
            <Field label={t("admin.trades.to")} field={field("to")} type="date" />
          </div>
          <div className="flex flex-wrap gap-x-4 gap-y-2">
            <Button look="plain">{t("admin.trades.go")}</Button>
            <TextLink to={paths.adminTransactions}>{t("admin.trades.clear")}</TextLink>
          </div>
        </Disclosure>
      </form>
    </search>
  );
}

interface Chip {
  status: string | null;
  to: string;
  /** The count as text; null if it is not counted. */
  count: string | null;
  current: boolean;
}

/** The statuses as links, with the number of transactions in each. */
export function StatusChips({ chips }: { chips: Chip[] }) {
  const t = useT();
  const text = useText();
  return (
    <nav aria-label={t("admin.trades.byStatus")} className="-mx-1 overflow-x-auto">
      <ul className="flex gap-2 p-1 sm:flex-wrap">
        {chips.map(({ status, to, count, current }) => (
          <li key={to}>
            <a
              href={to}
              aria-current={current ? "true" : undefined}
              className={`inline-flex min-h-11 items-center gap-2 rounded-full border px-4 text-sm font-semibold whitespace-nowrap no-underline ${current ? "border-brand bg-brand-soft text-ink" : "border-edge bg-card text-ink hover:bg-brand-soft"}`}
            >
              {status === null ? t("admin.trades.any") : text(`status.${status}`)}
              {count !== null && <span className="text-quiet tabular-nums">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** How many transactions were found, and by which filter. */
export function FoundCount({ count, number, state }: { count: number; number: string; state: FilterState }) {
  const t = useT();
  const text = useText();
  const { q, status, money, from, to } = state;
  const word = status === "pending" || status === "confirmed_complete" ? "admin.trades.word" : "status";
  const filters = [
    q && `“${q}”`,
    status && text(`${word}.${status}`),
    money && (money === "none" ? t("admin.trades.noMoney") : text(`money.${money}`)),
    (from || to) && `${from ?? "…"} – ${to ?? "…"}`,
  ].filter(Boolean);
  return (
    <p className="wrap-anywhere">
      <strong className="tabular-nums">{t("admin.trades.found", { count, number })}</strong>
      {filters.length > 0 && <span className="text-quiet"> · {filters.join(" · ")}</span>}
    </p>
  );
}
