import { SearchX } from "lucide";
import { useActionData, useLoaderData } from "react-router";
import { filtersShown, handleFilterForm } from "#app/routes/backoffice/lists/filter-actions";
import { deleteFromList } from "#app/routes/backoffice/transactions/transaction-actions";
import { transactionListAddress } from "#app/routes/backoffice/transactions/transaction-list-address";
import { postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { getTranslator } from "#locales";
import {
  adminTrades,
  countTrades,
  MOST_COUNTED,
  readTransactionFilter,
  tradeStatuses,
} from "#modules/escrow";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { EmptyState } from "../../../ui/layout/empty-state.tsx";
import { moneyStatusOf } from "../../../ui/trade/state/trade-state.ts";
import { SavedFilters } from "../lists/saved-filters.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/transactions.ts";
import { FoundCount, StatusChips, TradesFilter } from "./trades-filter.tsx";
import { TradesTable } from "./trades-table.tsx";

/** Rows per page. */
const pageLength = 25;

export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const filter = readTransactionFilter(new URL(request.url).searchParams);
  const [found, counted, kept] = await Promise.all([
    adminTrades(admin, { ...filter, limit: pageLength + 1 }),
    countTrades(admin, filter),
    filtersShown(admin, "transactions", request),
  ]);
  if (!found.ok || !counted.ok) throw new Error("admin: an administrator was refused the list");
  const { before, search: q, ...rest } = filter;
  const state = { q, ...rest };
  const shown = found.transactions.slice(0, pageLength);
  const last = shown.at(-1)?.id;
  const { byStatus } = counted.counts;
  return {
    title: getTranslator(admin.language)("admin.trades.title"),
    state,
    all: [...tradeStatuses],
    kept,
    found: { count: counted.counts.found, number: formatFoundCount(counted.counts.found) },
    chips: [
      null,
      ...tradeStatuses.filter((status) => byStatus?.[status] !== 0 || status === state.status),
    ].map((status) => ({
      status,
      to: transactionListAddress({ ...state, status: status ?? undefined }),
      count: byStatus && (status === null ? null : formatFoundCount(byStatus[status])),
      current: (state.status ?? null) === status,
    })),
    rows: shown.map((trade) => ({
      id: trade.id,
      code: trade.transactionCode,
      description: trade.description,
      amount: trade.amount,
      fee: trade.serviceFee,
      gross: trade.grossAmount,
      status: trade.status,
      money: moneyStatusOf(trade),
      method: trade.paymentMethod,
      at: trade.createdAt,
      mayDelete:
        (trade.status === "completed" || trade.status === "cancelled") &&
        trade.standing.money !== "held" &&
        trade.buyerId !== admin.userId &&
        trade.sellerId !== admin.userId,
    })),
    next: found.transactions.length > pageLength ? transactionListAddress(state, last) : null,
    first: before === undefined ? null : transactionListAddress(state),
  };
}

/** The number of results; the server counts up to a limit only. */
function formatFoundCount(count: number): string {
  return count > MOST_COUNTED ? `${MOST_COUNTED.toLocaleString("en-US")}+` : count.toLocaleString("en-US");
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  const body = await postedForm(request);
  const filters = await handleFilterForm(admin, "transactions", request, body);
  if (filters !== null) return filters;
  const { before, search: q, ...rest } = readTransactionFilter(new URL(request.url).searchParams);
  return deleteFromList(admin, body, transactionListAddress({ q, ...rest }, before));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminTransactions() {
  const t = useT();
  const { state, all, kept, found, chips, rows, next, first } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page>
      <BackofficeNavigation at="transactions" />
      <PageHead title={t("admin.trades.title")} />
      <TradesFilter state={state} statuses={all} />
      <StatusChips chips={chips} />
      <SavedFilters {...kept} posted={posted} />
      <Card>
        <FoundCount {...found} state={state} />
        {rows.length > 0 && <TradesTable rows={rows} />}
        {rows.length === 0 && <EmptyState icon={SearchX} title={t("admin.trades.empty")} />}
        {(first !== null || next !== null) && (
          <div className="flex flex-wrap gap-2">
            {first !== null && <ButtonLink to={first}>{t("admin.trades.first")}</ButtonLink>}
            {next !== null && <ButtonLink to={next}>{t("admin.trades.next")}</ButtonLink>}
          </div>
        )}
      </Card>
    </Page>
  );
}
