import { useLoaderData } from "react-router";
import { adminOnly } from "#app/http/pages";
import { moment, money } from "#format";
import { translator } from "#locales";
import { adminStats, adminTrades, workQueue } from "#modules/escrow";
import { DeskNav } from "../components/admin/desk-nav.tsx";
import { StatCards } from "../components/admin/stat-cards.tsx";
import { TextLink } from "../components/button.tsx";
import { Card, Page, PageHead } from "../components/card.tsx";
import { useT, useText } from "../components/i18n.tsx";
import { MoneyState } from "../components/money-state.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/admin.ts";

/** What waits for an administrator, the most pressing first, then Midman in figures and the latest trades. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = adminOnly(context, request);
  const [waiting, latest, counted] = await Promise.all([
    workQueue(admin),
    adminTrades(admin, { limit: 5 }),
    adminStats(admin),
  ]);
  if (!waiting.ok || !latest.ok || !counted.ok) {
    throw new Error("admin: an administrator was refused the queue");
  }
  return {
    queue: waiting.queue,
    trades: latest.transactions,
    stats: counted.stats,
    title: translator(admin.language)("admin.title"),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

type Queue = ReturnType<typeof useLoaderData<typeof loader>>["queue"];

export default function Admin() {
  const t = useT();
  const { queue, trades, stats } = useLoaderData<typeof loader>();
  const tasks = [...disputeTasks(queue), ...overdueTasks(queue), ...handTasks(queue), ...problemTasks(queue)];
  return (
    <Page>
      <DeskNav at="overview" />
      <PageHead title={t("admin.title")} />
      <Payouts payouts={queue.payouts} />
      {tasks.length > 0 && (
        <Card title={t("admin.other")}>
          <ul className="grid gap-2">
            {tasks.map((task) => (
              <Task key={`${task.label}${task.id}${task.at}`} {...task} />
            ))}
          </ul>
        </Card>
      )}
      <StatCards {...stats} />
      <Card title={t("admin.latest")}>
        {trades.length === 0 && <p className="text-quiet">{t("admin.noTrades")}</p>}
        <ul className="grid gap-2">
          {trades.map((trade) => (
            <li
              key={trade.id}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-line pb-2 not-last:border-b lg:grid-cols-[8rem_9rem_minmax(0,1fr)_auto]"
            >
              <TradeLink id={trade.id} code={trade.transactionCode} />
              <span className="text-right font-bold tabular-nums">{money(trade.amount)}</span>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-lg:col-span-2">
                <MoneyState money={trade.standing.money} />
                {trade.status !== trade.standing.money && (
                  <span className="text-sm">{t(`status.${trade.status}`)}</span>
                )}
              </span>
              <span className="text-sm text-quiet tabular-nums max-lg:col-span-2 lg:text-right">
                {moment(trade.createdAt)}
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

function TradeLink({ id, code, to }: { id: number; code: string; to?: string | undefined }) {
  return (
    <a
      href={to ?? paths.adminTransaction(id)}
      className="inline-flex min-h-11 items-center font-mono font-semibold text-brand underline"
    >
      {code}
    </a>
  );
}

function Payouts({ payouts }: { payouts: Queue["payouts"] }) {
  const t = useT();
  return (
    <Card title={t("admin.waiting")}>
      {payouts.length === 0 && <p className="text-quiet">{t("admin.nothingWaits")}</p>}
      <ul className="grid gap-3">
        {payouts.map((item) => (
          <li
            key={item.id}
            className="grid gap-1 border-b border-line pb-3 sm:grid-cols-[1fr_auto] sm:items-center"
          >
            <span className="flex flex-wrap items-center gap-x-4">
              <strong>{t(`admin.kind.${item.kind}`)}</strong>
              <TradeLink id={item.transactionId} code={item.transactionCode} />
              <span className="wrap-anywhere">{item.recipient?.displayName}</span>
              <span className="text-sm">{t(`admin.state.${item.state}`)}</span>
              {item.destination === null && (
                <span className="text-sm text-warn">{t("admin.noDestination")}</span>
              )}
              {item.referenceMissing && (
                <span className="text-sm text-warn">{t("admin.referenceMissing")}</span>
              )}
            </span>
            <span className="flex flex-wrap items-center justify-between gap-x-4">
              <strong className="tabular-nums">{money(item.amount)}</strong>
              <span className={`text-sm ${item.overdue ? "font-semibold text-bad" : "text-quiet"}`}>
                {t("admin.due", { at: moment(item.dueAt) })}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface TaskShown {
  id: number;
  code: string;
  label: string;
  at: string;
  /** Where it is done, where that is not the page of the trade. */
  to?: string;
  note?: string;
}

function Task({ id, code, label, at, to, note }: TaskShown) {
  const text = useText();
  return (
    <li className="flex flex-wrap items-center gap-x-4">
      <strong>{text(label)}</strong>
      <TradeLink id={id} code={code} to={to} />
      {note && <span className="text-sm wrap-anywhere">{note}</span>}
      <span className="text-sm text-quiet">{moment(at)}</span>
    </li>
  );
}

function disputeTasks(queue: Queue): TaskShown[] {
  return queue.disputes.map((item) => ({
    id: item.transactionId,
    code: item.transactionCode,
    label: "status.disputed",
    at: item.openedAt,
    to: paths.adminDispute(item.transactionId),
    ...(item.mediator !== null && { note: item.mediator }),
  }));
}

function overdueTasks(queue: Queue): TaskShown[] {
  return queue.overdue.map((item) => ({
    id: item.transactionId,
    code: item.transactionCode,
    label: `trade.clock.${item.kind}`,
    at: item.dueAt,
  }));
}

function problemTasks(queue: Queue): TaskShown[] {
  return queue.problems.map((item) => ({
    id: item.transactionId,
    code: item.transactionCode,
    label: "admin.problem",
    at: item.seenAt,
  }));
}

function handTasks(queue: Queue): TaskShown[] {
  return queue.handConfirmations.map((item) => ({
    id: item.transactionId,
    code: item.transactionCode,
    label: "admin.byHand",
    at: item.proposedAt,
  }));
}
