import { Flag } from "lucide";
import { useActionData, useLoaderData } from "react-router";
import { goTo, notFound, parseId, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { reportFilterSchema, resolveReportSchema as resolveInput } from "#forms/escrow";
import { getTranslator } from "#locales";
import { listReports, resolveReport } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { ButtonLink, TextLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { EmptyState } from "../../../ui/layout/empty-state.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/reports.ts";
import { ReportItem } from "./report-item.tsx";

/** People's reports: those waiting, those that hold a transaction first, or the resolved ones. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const filter = reportFilterSchema.parse(query);
  const found = await listReports(admin, filter);
  if (!found.ok) throw new Error("admin: an administrator was refused the reports");
  const { show, person = null, report = null } = filter;
  const { reports, next } = found;
  return {
    title: getTranslator(admin.language)("admin.reports.title"),
    asked: { show, person, report },
    reports,
    next,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  const body = await postedForm(request);
  if (body.get("form") !== "resolve") throw notFound("form");
  const id = parseId(body.get("report"));
  const read = readForm(`report-${id}`, body, resolveInput);
  if (!read.ok) return read.answer;
  const done = await resolveReport(admin, id, read.value);
  if (!done.ok) return read.refuse(done);
  const { search } = new URL(request.url);
  return goTo(`${paths.adminReports}${search}`, { kind: "success", key: "toast.reports.resolve" });
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminReports() {
  const t = useT();
  const { asked, reports, next } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { show, person, report } = asked;
  const at = (parts: Record<string, string | number | null>) => {
    const given = Object.entries({ person, ...parts }).filter(
      ([, value]) => value !== null && String(value) !== "open",
    );
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return query === "" ? paths.adminReports : `${paths.adminReports}?${query}`;
  };
  return (
    <Page width="text">
      <BackofficeNavigation at="users" within />
      <PageHead title={t("admin.reports.title")} lead={t("admin.reports.lead")} />
      {report === null ? (
        <Tabs
          label={t("admin.reports.show")}
          tabs={(["open", "resolved"] as const).map((one) => ({
            to: at({ show: one }),
            label: t(`admin.reports.${one}`),
            current: show === one,
          }))}
        />
      ) : (
        <TextLink to={paths.adminReports}>{t("admin.reports.all")}</TextLink>
      )}
      <Card label={t("admin.reports.title")}>
        {reports.length === 0 && <EmptyState icon={Flag} title={t("admin.reports.none")} />}
        <ul className="grid gap-6">
          {reports.map((one) => (
            <ReportItem key={one.id} report={one} posted={posted} />
          ))}
        </ul>
        {next !== null && (
          <ButtonLink to={at({ show, before: next })} className="justify-self-start">
            {t("admin.reports.next")}
          </ButtonLink>
        )}
      </Card>
    </Page>
  );
}
