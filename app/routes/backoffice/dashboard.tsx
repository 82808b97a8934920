import { useLoaderData } from "react-router";
import { countsOf, tasksOf } from "#app/routes/backoffice/work-queue/tasks";
import { handleWorkForm, workListOf } from "#app/routes/backoffice/work-queue/work-actions";
import { postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { formatMoney } from "#format";
import { workKinds } from "#forms/escrow";
import { getTranslator } from "#locales";
import { adminStats, adminTrades, readPeriodFigures, workQueue } from "#modules/escrow";
import { secondFactorOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import { TextLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import { MoneyState } from "../../ui/trade/progress/money-state.tsx";
import { moneyStatusOf } from "../../ui/trade/state/trade-state.ts";
import type { Route } from "./+types/dashboard.ts";
import { FiguresCard } from "./figures/figures.tsx";
import { Moment } from "./moment.tsx";
import { BackofficeNavigation } from "./navigation/navigation.tsx";
import { StatCards } from "./stat-cards.tsx";
import { WorkList } from "./work-queue/work-list.tsx";

/** The most tasks on the page; as they are done, the next ones appear. */
const maxShownTasks = 50;

/** The administrators' tasks, most urgent first, then Midman's figures and the latest trades. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const query = new URL(request.url).searchParams;
  const by = query.get("by") === "week" ? "week" : "day";
  const [waiting, latest, counted, figures, factor] = await Promise.all([
    workQueue(admin),
    adminTrades(admin, { limit: 5 }),
    adminStats(admin),
    readPeriodFigures(admin, { by }),
    secondFactorOf(admin),
  ]);
  if (!waiting.ok || !latest.ok || !counted.ok || !figures.ok) {
    throw new Error("admin: an administrator was refused the queue");
  }
  const asked = query.get("show");
  const show = workKinds.find((kind) => kind === asked) ?? null;
  const all = tasksOf(waiting.queue);
  const wanted = show === null ? all : all.filter(({ kind }) => kind === show);
  const { more } = waiting.queue;
  return {
    work: {
      tasks: wanted.slice(0, maxShownTasks),
      counts: countsOf(all, more),
      show,
      behind: Math.max(0, wanted.length - maxShownTasks),
      more: show === null ? more.length > 0 : more.some((kind) => kind === show),
      serverTime: waiting.queue.serverTime,
    },
    trades: latest.transactions,
    stats: counted.stats,
    withoutFactor: factor.ok && !factor.on,
    figures: { by, periods: figures.periods } as const,
    title: getTranslator(admin.language)("admin.title"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  return handleWorkForm(admin, await postedForm(request), workListOf(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Admin() {
  const t = useT();
  const { work, trades, stats, withoutFactor, figures } = useLoaderData<typeof loader>();
  return (
    <Page>
      <BackofficeNavigation at="overview" />
      <PageHead title={t("admin.title")} />
      <WorkList {...work} />
      {withoutFactor && (
        <Notice tone="info" title={t("admin.factor.title")}>
          <p>{t("admin.factor.why")}</p>
          <TextLink to={paths.settingsFactorFor(paths.admin)}>{t("admin.factor.setUp")}</TextLink>
        </Notice>
      )}
      <StatCards {...stats} />
      <FiguresCard {...figures} />
      <Card title={t("admin.latest")}>
        {trades.length === 0 && <p className="text-quiet">{t("admin.noTrades")}</p>}
        <ul className="grid gap-2">
          {trades.map((trade) => (
            <li
              key={trade.id}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-line pb-2 not-last:border-b lg:grid-cols-[8rem_9rem_minmax(0,1fr)_auto]"
            >
              <TradeLink id={trade.id} code={trade.transactionCode} />
              <span className="text-right font-bold tabular-nums">{formatMoney(trade.amount)}</span>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-lg:col-span-2">
                <MoneyState money={moneyStatusOf(trade)} />
                {trade.status !== trade.standing.money && (
                  <span className="text-sm">{t(`status.${trade.status}`)}</span>
                )}
              </span>
              <span className="text-sm text-quiet tabular-nums max-lg:col-span-2 lg:text-right">
                <Moment at={trade.createdAt} />
              </span>
            </li>
          ))}
        </ul>
        <TextLink to={paths.adminTransactions}>{t("admin.overview.all")}</TextLink>
      </Card>
      <Card title={t("admin.overview.logs")}>
        <p>{t("admin.overview.logsLead")}</p>
        <TextLink to={paths.adminActivityLogs}>{t("admin.overview.openLogs")}</TextLink>
      </Card>
    </Page>
  );
}

function TradeLink({ id, code }: { id: number; code: string }) {
  return (
    <a
      href={paths.adminTransaction(id)}
      className="inline-flex min-h-11 items-center font-mono font-semibold text-brand underline"
    >
      {code}
    </a>
  );
}
