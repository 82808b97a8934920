import { Users } from "lucide";
import { useActionData, useLoaderData } from "react-router";
import { filtersShown, handleFilterForm } from "#app/routes/backoffice/lists/filter-actions";
import { notFound, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { peopleFilter } from "#forms/identity";
import { getTranslator } from "#locales";
import { adminUsers } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { EmptyState } from "../../../ui/layout/empty-state.tsx";
import { SavedFilters } from "../lists/saved-filters.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/users.ts";
import { SearchUsers, usersAt } from "./user-search.tsx";
import { UsersTable } from "./users-table.tsx";

/** People per page. */
const usersPerPage = 25;

export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const filter = peopleFilter.parse({ ...query, limit: usersPerPage });
  const [found, kept] = await Promise.all([adminUsers(admin, filter), filtersShown(admin, "users", request)]);
  if (!found.ok) throw new Error("admin: an administrator was refused the list of people");
  return {
    title: getTranslator(admin.language)("admin.users.title"),
    asked: { q: filter.q ?? "", show: filter.show, sort: filter.sort, before: filter.before ?? null },
    kept,
    next: found.next,
    total: found.total,
    rows: found.users.map((user) => ({
      id: user.id,
      username: user.username,
      displayName: user.displayName,
      email: user.email,
      isAdmin: user.isAdmin,
      deleted: user.deletedAt !== null,
      restriction: user.restriction,
      transactionCount: user.transactionCount,
    })),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  const done = await handleFilterForm(admin, "users", request, await postedForm(request));
  if (done === null) throw notFound("form");
  return done;
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminUsers() {
  const t = useT();
  const { asked, kept, rows, next, total } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const counted = total.count.toLocaleString("en-US");
  return (
    <Page>
      <BackofficeNavigation at="users" />
      <PageHead title={t("admin.users.title")}>
        <ButtonLink to={paths.adminReports}>{t("admin.reports.title")}</ButtonLink>
      </PageHead>
      <Card label={t("admin.users.search")}>
        <SearchUsers asked={asked} />
      </Card>
      <SavedFilters {...kept} posted={posted} />
      <Card label={t("admin.users.title")}>
        <p role="status" className="font-semibold tabular-nums">
          {t("admin.users.found", { total: total.more ? `${counted}+` : counted })}
        </p>
        {rows.length === 0 && <EmptyState icon={Users} title={t("admin.users.none")} />}
        {rows.length > 0 && <UsersTable rows={rows} />}
        {(asked.before !== null || next !== null) && (
          <nav aria-label={t("admin.users.pages")} className="flex flex-wrap gap-2">
            {asked.before !== null && (
              <ButtonLink to={usersAt({ ...asked, before: null })}>{t("admin.users.first")}</ButtonLink>
            )}
            {next !== null && (
              <ButtonLink to={usersAt({ ...asked, before: next })}>{t("admin.users.next")}</ButtonLink>
            )}
          </nav>
        )}
      </Card>
    </Page>
  );
}
