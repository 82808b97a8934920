import { History as Clock } from "lucide";
import { useLoaderData } from "react-router";
import { parseQueryNumber, requireMemberOrAlert } from "#app/server/pages/page-context";
import { getTranslator } from "#locales";
import { historyOf } from "#modules/escrow";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { EmptyState } from "../../ui/layout/empty-state.tsx";
import { HistoryTable } from "../../ui/trade/progress/history-table.tsx";
import type { Route } from "./+types/history.ts";

/** Rows per page. */
const pageLength = 50;

export async function loader({ context, request }: Route.LoaderArgs) {
  const actor = requireMemberOrAlert(context, request);
  const before = parseQueryNumber(new URL(request.url).searchParams.get("before"));
  const found = await historyOf(actor, { limit: pageLength + 1, before });
  const rows = found.ok ? found.transactions : [];
  const shown = rows.slice(0, pageLength);
  const t = getTranslator(actor.language);
  return {
    title: t("history.title"),
    rows: shown.map((row) => ({
      id: row.id,
      code: row.transactionCode,
      at: row.createdAt,
      amount: row.amount,
      role: row.role,
      status: row.status,
      money: row.standing.money,
    })),
    /** The last row of this page, if more follow. */
    older: rows.length > pageLength ? (shown.at(-1)?.id ?? null) : null,
    first: before === undefined,
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function History() {
  const t = useT();
  const { rows, older, first } = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHead title={t("history.title")} />
      <Card title={t("history.yours")}>
        {rows.length > 0 && <HistoryTable rows={rows} />}
        {rows.length === 0 && first && (
          <EmptyState icon={Clock} title={t("history.empty")}>
            <ButtonLink to={paths.chat} look="primary">
              {t("history.toRooms")}
            </ButtonLink>
          </EmptyState>
        )}
        {rows.length === 0 && !first && <p>{t("history.noOlder")}</p>}
        {(!first || older !== null) && (
          <div className="flex flex-wrap gap-2">
            {!first && <ButtonLink to={paths.history}>{t("history.newest")}</ButtonLink>}
            {older !== null && <ButtonLink to={`?before=${older}`}>{t("history.older")}</ButtonLink>}
          </div>
        )}
      </Card>
    </Page>
  );
}
