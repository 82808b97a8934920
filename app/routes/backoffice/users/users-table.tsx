import { paths } from "../../../paths.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Badge } from "../../../ui/layout/badge.tsx";
import { RestrictedBadge } from "./restrictions.tsx";
import type { UserRow } from "./types.ts";

const userColumns = ["id", "username", "displayName", "email", "transactions", "actions"] as const;

/** People in a table, whose rows are cards on narrow screens. */
export function UsersTable({ rows }: { rows: UserRow[] }) {
  const t = useT();
  return (
    <table className="w-full max-md:block">
      <thead className="max-md:sr-only">
        <tr className="border-b border-line text-sm text-quiet">
          {userColumns.map((column) => (
            <th
              key={column}
              scope="col"
              className={`px-2 py-2 font-semibold ${column === "transactions" ? "text-right" : "text-left"}`}
            >
              {t(`admin.users.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:grid max-md:gap-3">
        {rows.map((row) => (
          <Row key={row.id} {...row} />
        ))}
      </tbody>
    </table>
  );
}

const userCellClasses = "md:px-2 md:py-2";
const userActionClasses = "inline-flex min-h-11 items-center font-semibold underline underline-offset-4";

function Row({ id, username, displayName, email, isAdmin, deleted, restriction, transactionCount }: UserRow) {
  const t = useT();
  return (
    <tr
      data-user={id}
      data-row
      className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-3 max-md:gap-y-1 max-md:rounded-control max-md:border max-md:border-line max-md:p-3 md:border-b md:border-line"
    >
      <td className={`${userCellClasses} text-sm text-quiet tabular-nums max-md:order-2 max-md:text-right`}>
        {id}
      </td>
      <td className={`${userCellClasses} wrap-anywhere max-md:order-3 max-md:col-span-2`}>
        {deleted ? "–" : `@${username}`}
      </td>
      <td className={`${userCellClasses} font-semibold wrap-anywhere max-md:order-1`}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {deleted ? t("admin.users.deletedName", { id }) : displayName}
          {isAdmin && <Badge tone="brand">{t("admin.users.admin")}</Badge>}
          <RestrictedBadge restriction={restriction} />
          {deleted && <Badge tone="quiet">{t("admin.users.deleted")}</Badge>}
        </span>
      </td>
      <td className={`${userCellClasses} text-sm wrap-anywhere max-md:order-4 max-md:col-span-2`}>
        {email || "–"}
      </td>
      <td className={`${userCellClasses} tabular-nums max-md:order-5 max-md:text-sm md:text-right`}>
        <span className="text-quiet md:hidden">{t("admin.users.column.transactions")}</span>{" "}
        {transactionCount.toLocaleString("en-US")}
      </td>
      <td className={`${userCellClasses} max-md:order-6`}>
        <span className="flex gap-x-4 whitespace-nowrap">
          <a
            href={paths.adminUser(id)}
            aria-label={t("admin.users.viewOf", { id })}
            className={`${userActionClasses} text-brand`}
          >
            {t("history.view")}
          </a>
          {!deleted && (
            <a
              href={`${paths.adminUser(id)}?do=delete#step-delete-user`}
              aria-label={t("admin.users.deleteOf", { id })}
              className={`${userActionClasses} text-bad`}
            >
              {t("chat.delete")}
            </a>
          )}
        </span>
      </td>
    </tr>
  );
}
