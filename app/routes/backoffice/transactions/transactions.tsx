import { SearchX } from "lucide";
import { useActionData, useLoaderData } from "react-router";
import { deleteFromList } from "#app/routes/backoffice/admin-actions";
import { actOnFilters, filtersShown } from "#app/routes/backoffice/filter-actions";
import { deskAddress } from "#app/routes/backoffice/list-address";
import { adminOnly, postedForm } from "#app/server/pages/page-context";
import { translator } from "#locales";
import { adminTrades, countTrades, MOST_COUNTED, readDesk, statuses } from "#modules/escrow";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { Empty } from "../../../ui/layout/empty.tsx";
import { DeskNav } from "../navigation.tsx";
import { SavedFilters } from "../saved-filters.tsx";
import type { Route } from "./+types/transactions.ts";
import { Found, StatusChips, TradesFilter } from "./filter.tsx";
import { TradesTable } from "./table.tsx";

/** Rows of one page of the list. */
const pageLength = 25;

export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = adminOnly(context, request);
  const filter = readDesk(new URL(request.url).searchParams);
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
    title: translator(admin.language)("admin.trades.title"),
    state,
    all: [...statuses],
    kept,
    found: { count: counted.counts.found, number: written(counted.counts.found) },
    chips: [null, ...statuses.filter((status) => byStatus?.[status] !== 0 || status === state.status)].map(
      (status) => ({
        status,
        to: deskAddress({ ...state, status: status ?? undefined }),
        count: byStatus && (status === null ? null : written(byStatus[status])),
        current: (state.status ?? null) === status,
      }),
    ),
    rows: shown.map((trade) => ({
      id: trade.id,
      code: trade.transactionCode,
      description: trade.description,
      amount: trade.amount,
      fee: trade.serviceFee,
      gross: trade.grossAmount,
      status: trade.status,
      money: trade.standing.money,
      method: trade.paymentMethod,
      at: trade.createdAt,
      mayDelete:
        (trade.status === "completed" || trade.status === "cancelled") &&
        trade.standing.money !== "held" &&
        trade.buyerId !== admin.userId &&
        trade.sellerId !== admin.userId,
    })),
    next: found.transactions.length > pageLength ? deskAddress(state, last) : null,
    first: before === undefined ? null : deskAddress(state),
  };
}

/** A number as it is told: no further than is counted. */
function written(count: number): string {
  return count > MOST_COUNTED ? `${MOST_COUNTED.toLocaleString("en-US")}+` : count.toLocaleString("en-US");
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = adminOnly(context, request);
  const body = await postedForm(request);
  const filters = await actOnFilters(admin, "transactions", request, body);
  if (filters !== null) return filters;
  const { before, search: q, ...rest } = readDesk(new URL(request.url).searchParams);
  return deleteFromList(admin, body, deskAddress({ q, ...rest }, before));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminTransactions() {
  const t = useT();
  const { state, all, kept, found, chips, rows, next, first } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page>
      <DeskNav at="transactions" />
      <PageHead title={t("admin.trades.title")} />
      <TradesFilter state={state} statuses={all} />
      <StatusChips chips={chips} />
      <SavedFilters {...kept} posted={posted} />
      <Card>
        <Found {...found} state={state} />
        {rows.length > 0 && <TradesTable rows={rows} />}
        {rows.length === 0 && <Empty icon={SearchX} title={t("admin.trades.empty")} />}
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
