import { ArrowLeft, Download, FileSearch, RefreshCw } from "lucide";
import { useActionData, useLoaderData } from "react-router";
import { filtersShown, handleFilterForm } from "#app/routes/backoffice/lists/filter-actions";
import { logFilter } from "#app/routes/backoffice/logs/log-search";
import { actionName, logShown } from "#app/routes/backoffice/logs/shown-activity";
import { goTo, notFound, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { currentTime } from "#db/clock";
import { auditActions, getTranslator } from "#locales";
import {
  BACKUP_LATE_HOURS,
  backupStatus,
  DRILL_LATE_DAYS,
  findChainHead,
  lastLogCheck,
  logVerificationState,
  readAnchorStatus,
  TRACE_DAYS,
} from "#modules/audit";
import {
  type ActivityFilter,
  activityLogs,
  checkActivityLogs,
  countActivityLogs,
  type Member,
} from "#modules/identity";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { EmptyState } from "../../../ui/layout/empty-state.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { SavedFilters } from "../lists/saved-filters.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/logs.ts";
import { Chain } from "./audit-chain.tsx";
import { Backups } from "./backups.tsx";
import { LogList, LogTable } from "./entries.tsx";
import { LogFilters } from "./filters.tsx";
import { logsAt, logsFileAt } from "./log-address.ts";

/** Entries per page. */
const pageLength = 25;

/** The log, newest first, filtered by the address, and how far its chain is verified. Reading it is not recorded. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const { search, filter, people } = await logFilter(request);
  const [found, newest, checked, { missingSince }, anchor, backups, kept] = await Promise.all([
    filter === null ? emptyLogPage : pageOf(admin, filter, search.before),
    findChainHead(),
    lastLogCheck(),
    logVerificationState(currentTime()),
    readAnchorStatus(),
    backupStatus(currentTime()),
    filtersShown(admin, "activity-logs", request),
  ]);
  return {
    ...found,
    search,
    people: filter === null ? people : null,
    newest,
    kept,
    checked,
    missing: missingSince !== null,
    anchor,
    backups: { ...backups, hours: BACKUP_LATE_HOURS, days: DRILL_LATE_DAYS },
    actions: auditActions
      .map((value) => ({ value: value as string, label: actionName(value, admin.language) }))
      .sort((a, b) => a.label.localeCompare(b.label, admin.language)),
    days: TRACE_DAYS,
    title: getTranslator(admin.language)("admin.logs.title"),
  };
}

const emptyLogPage = { logs: [], next: null, count: 0, more: false };

async function pageOf(admin: Member, filter: ActivityFilter, before: number | undefined) {
  const [page, counted] = await Promise.all([
    activityLogs(admin, { ...filter, before, limit: pageLength }),
    countActivityLogs(admin, filter),
  ]);
  if (!page.ok || !counted.ok) throw new Error("logs: an administrator was refused the log");
  const logs = page.logs.map((log) => logShown(log, admin.language));
  return { logs, next: page.next, count: counted.count, more: counted.more };
}

/** Starts a verification of the chain; saves and deletes filters. */
export async function action({ context, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  const body = await postedForm(request);
  const filters = await handleFilterForm(admin, "activity-logs", request, body);
  if (filters !== null) return filters;
  if (body.get("form") !== "verify") throw notFound("form");
  const asked = await checkActivityLogs(admin);
  if (!asked.ok) throw new Error("logs: an administrator was refused the verification");
  return goTo(`${paths.adminActivityLogs}${new URL(request.url).search}`, {
    kind: "info",
    key: "admin.logs.verifying",
  });
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminLogs() {
  const t = useT();
  const {
    logs,
    search,
    people,
    count,
    more,
    newest,
    kept,
    checked,
    missing,
    anchor,
    backups,
    actions,
    days,
  } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const figures = { shown: logs.length, total: count.toLocaleString("en-US") };
  return (
    <Page>
      <BackofficeNavigation at="logs" />
      <ButtonLink to={paths.admin} className="justify-self-start">
        <Icon of={ArrowLeft} className="size-4" />
        {t("admin.logs.back")}
      </ButtonLink>
      <PageHead
        title={t("admin.logs.title")}
        lead={t(more ? "admin.logs.shownMany" : "admin.logs.shown", figures)}
      >
        <ButtonLink to={logsAt(search)}>
          <Icon of={RefreshCw} className="size-4" />
          {t("admin.logs.refresh")}
        </ButtonLink>
        <ButtonLink to={logsFileAt(search)}>
          <Icon of={Download} className="size-4" />
          {t("admin.logs.export")}
        </ButtonLink>
      </PageHead>
      <LogFilters search={search} actions={actions} days={days} />
      <SavedFilters {...kept} posted={posted} />
      {people !== null && <PersonChoices people={people} search={search} />}
      <Entries />
      <Chain newest={newest} checked={checked} missing={missing} anchor={anchor} />
      <Backups {...backups} />
    </Page>
  );
}

type LogsLoaded = ReturnType<typeof useLoaderData<typeof loader>>;

/** Offers the people whom the search text may mean, if it is not exactly one. */
function PersonChoices({
  people,
  search,
}: {
  people: NonNullable<LogsLoaded["people"]>;
  search: LogsLoaded["search"];
}) {
  const t = useT();
  if (people.length === 0) return <p role="status">{t("admin.logs.noSuchUser")}</p>;
  return (
    <Card title={t("admin.logs.which")}>
      <ul className="flex flex-wrap gap-3">
        {people.map(({ id, username, displayName }) => (
          <li key={id} className="min-w-0">
            <ButtonLink to={logsAt({ ...search, before: undefined, user: String(id) })}>
              <span className="wrap-anywhere">{`${displayName} (@${username})`}</span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Entries() {
  const t = useT();
  const { logs, search, next } = useLoaderData<typeof loader>();
  const views = (["list", "table"] as const).map((view) => ({
    to: logsAt({ ...search, view }),
    label: t(`admin.logs.${view}`),
    current: search.view === view,
  }));
  return (
    <Card label={t("admin.logs.title")}>
      <Tabs label={t("admin.logs.views")} tabs={views} />
      {logs.length === 0 && <EmptyState icon={FileSearch} title={t("admin.logs.empty")} />}
      {logs.length > 0 && (search.view === "table" ? <LogTable logs={logs} /> : <LogList logs={logs} />)}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {search.before !== undefined && (
          <ButtonLink to={logsAt({ ...search, before: undefined })}>{t("admin.logs.newest")}</ButtonLink>
        )}
        {next !== null && (
          <ButtonLink to={logsAt({ ...search, before: next })}>{t("admin.logs.older")}</ButtonLink>
        )}
      </div>
    </Card>
  );
}
