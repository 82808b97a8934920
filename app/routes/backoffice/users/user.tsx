import { History as Clock } from "lucide";
import { data, useActionData, useLoaderData } from "react-router";
import { handleUserForm } from "#app/routes/backoffice/users/user-actions";
import { userShown } from "#app/routes/backoffice/users/user-view";
import { adminLoginPath, parseId, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { forwardActionHeaders } from "#app/server/pages/posted-forms";
import { currentTime } from "#db/clock";
import { getTranslator } from "#locales";
import { requireFreshLogin } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { ButtonLink, TextLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page } from "../../../ui/layout/card.tsx";
import { EmptyState } from "../../../ui/layout/empty-state.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { HistoryTable } from "../../../ui/trade/progress/history-table.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/user.ts";
import { LinkedAccounts, Restrictions } from "./restrictions.tsx";
import { UserActivity } from "./user-activity.tsx";
import { UserActions } from "./user-forms.tsx";
import { UserMissing } from "./user-missing.tsx";
import { Changes, Profile } from "./user-profile.tsx";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const id = parseId(params.id);
  const query = new URL(request.url).searchParams;
  const shown = (await userShown(admin, id, query)) ?? null;
  const t = getTranslator(admin.language);
  const title =
    shown === null
      ? t("admin.users.notFound")
      : shown.user.deleted
        ? t("admin.users.deletedName", { id })
        : shown.user.displayName;
  const may = {
    own: id === admin.userId,
    fresh: requireFreshLogin(admin, currentTime()).ok,
    signIn: adminLoginPath(paths.adminUser(id)),
    open: query.get("do"),
  };
  return data({ title, shown, may }, { status: shown === null ? 404 : 200 });
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  return handleUserForm(admin, parseId(params.id), await postedForm(request));
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

type UserDetail = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["shown"]>;

export default function AdminUser() {
  const t = useT();
  const { shown, may } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  if (shown === null) return <UserMissing />;
  const { user, tab } = shown;
  const at = paths.adminUser(user.id);
  return (
    <Page>
      <BackofficeNavigation at="users" within />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <Profile user={user} />
          <LinkedAccounts same={shown.same} />
          {shown.reports.total > 0 && (
            <TextLink to={`${paths.adminReports}?person=${user.id}`}>
              {t("admin.reports.ofPerson", shown.reports)}
            </TextLink>
          )}
          <Restrictions restrictions={shown.restrictions} />
          <Changes changes={shown.changes} />
        </div>
        {!user.deleted && <UserActions user={user} {...may} {...shown.restricting} posted={posted} />}
      </div>
      <Card id="tabs" label={t("admin.users.tabs")}>
        <Tabs
          label={t("admin.users.tabs")}
          tabs={[
            { to: `${at}#tabs`, label: t("admin.users.activity"), current: tab === "activity" },
            {
              to: `${at}?tab=transactions#tabs`,
              label: t("admin.users.transactions"),
              current: tab === "transactions",
              of: user.displayName,
            },
          ]}
        />
        {shown.activity && <UserActivity {...shown.activity} stats={shown.stats} />}
        {shown.transactions && <Transactions at={at} {...shown.transactions} />}
      </Card>
    </Page>
  );
}

function Transactions({ at, rows, older, first }: NonNullable<UserDetail["transactions"]> & { at: string }) {
  const t = useT();
  return (
    <>
      {rows.length === 0 && <EmptyState icon={Clock} title={t("admin.users.noTransactions")} />}
      {rows.length > 0 && <HistoryTable rows={rows} to={paths.adminTransaction} />}
      {(!first || older !== null) && (
        <div className="flex flex-wrap gap-2">
          {!first && <ButtonLink to={`${at}?tab=transactions#tabs`}>{t("history.newest")}</ButtonLink>}
          {older !== null && (
            <ButtonLink to={`${at}?tab=transactions&before=${older}#tabs`}>{t("history.older")}</ButtonLink>
          )}
        </div>
      )}
    </>
  );
}
