import { Filter } from "lucide";
import type { ActivitySearch } from "#forms/identity";
import { paths } from "../../../paths.ts";
import { Button, ButtonLink } from "../../../ui/forms/button.tsx";
import { Field, Select } from "../../../ui/forms/field.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { logsAt } from "./log-address.ts";

/** The filters of the log; the chosen ones are in the page's address. */
export function LogFilters(props: {
  search: ActivitySearch;
  actions: Array<{ value: string; label: string }>;
  /** How long IP addresses are kept, in days. */
  days: number;
}) {
  const t = useT();
  const { search, actions, days } = props;
  const field = (name: "user" | "action" | "ip" | "from" | "to") => ({
    field: { id: `logs-${name}`, name, errorId: `logs-${name}-error`, initialValue: search[name] ?? "" },
  });
  return (
    <Card title={t("admin.logs.filters")}>
      <search>
        <form action={paths.adminActivityLogs} className="grid gap-4">
          {search.view === "table" && <input type="hidden" name="view" value="table" />}
          <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
            <Field
              label={t("admin.logs.user")}
              hint={t("admin.logs.userHint")}
              maxLength={100}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...field("user")}
            />
            <Select
              label={t("admin.logs.action")}
              options={[{ value: "", label: t("admin.logs.allActions") }, ...actions]}
              {...field("action")}
            />
            <Field
              label={t("admin.logs.ip")}
              hint={t("admin.logs.ipHint", { days })}
              maxLength={64}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...field("ip")}
            />
            <Field label={t("admin.logs.from")} type="date" {...field("from")} />
            <Field label={t("admin.logs.to")} type="date" {...field("to")} />
          </div>
          <div className="flex flex-wrap gap-3">
            <Button>
              <Icon of={Filter} className="size-4" />
              {t("admin.logs.apply")}
            </Button>
            <ButtonLink to={logsAt({ view: search.view })}>{t("admin.logs.reset")}</ButtonLink>
          </div>
        </form>
      </search>
    </Card>
  );
}
