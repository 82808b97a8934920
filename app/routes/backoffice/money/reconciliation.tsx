import { useActionData, useLoaderData } from "react-router";
import { handleReconciliationForm } from "#app/routes/backoffice/money/money-actions";
import { postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { mongolianDaySchema as dayForm, moneyPageSchema } from "#forms/payments";
import { getTranslator } from "#locales";
import { readReconciliation } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { DaySums } from "../figures/day-sums.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/reconciliation.ts";
import { DifferenceItem } from "./reconciliation/difference-item.tsx";
import { RunHistory } from "./reconciliation/run-history.tsx";

/** Reads the address; an invalid day or cursor counts as absent. */
function readReconciliationQuery(request: Request): { day: string | undefined; before: number | undefined } {
  const query = new URL(request.url).searchParams;
  return {
    day: dayForm.safeParse(query.get("day")).data,
    before: moneyPageSchema.shape.before.safeParse(query.get("before") ?? undefined).data,
  };
}

export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const input = readReconciliationQuery(request);
  const found = await readReconciliation(admin, input);
  if (!found.ok) throw new Error("admin: an administrator was refused the reconciliation");
  return {
    ...found.reconciliation,
    paged: input.before !== undefined,
    title: getTranslator(admin.language)("admin.recon.title"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  const body = await postedForm(request);
  const day = readReconciliationQuery(request).day ?? String(body.get("day") ?? "");
  return handleReconciliationForm(admin, day, body);
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

type ReconciliationShown = ReturnType<typeof useLoaderData<typeof loader>>;

export default function AdminReconciliation() {
  const t = useT();
  const shown = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { day, last, runs, next, paged } = shown;
  return (
    <Page>
      <BackofficeNavigation at="reconciliation" />
      <PageHead title={t("admin.recon.title")} lead={t("admin.recon.lead")} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <DayChoice day={day} today={shown.today} />
          <DaySums day={day} run={last} />
        </div>
        <OpenDays days={shown.openDays.filter((one) => one.day !== day)} />
      </div>
      <Differences differences={shown.differences} posted={posted} />
      <RunHistory runs={runs} day={day} next={next} paged={paged} />
    </Page>
  );
}

function DayChoice({ day, today }: { day: string; today: string }) {
  const t = useT();
  return (
    <form action={paths.adminReconciliation} className="flex flex-wrap items-end gap-3">
      <Field
        label={t("admin.recon.day")}
        field={{ id: "day", name: "day", errorId: "day-error", initialValue: day }}
        type="date"
        max={today}
      />
      <Button look="plain">{t("admin.recon.show")}</Button>
    </form>
  );
}

function OpenDays({ days }: { days: ReconciliationShown["openDays"] }) {
  const t = useT();
  if (days.length === 0) return null;
  return (
    <Card title={t("admin.recon.elsewhere")}>
      <ul className="flex flex-wrap gap-x-6 tabular-nums">
        {days.map(({ day, open }) => (
          <li key={day} className="flex items-center gap-2">
            <TextLink to={paths.adminReconciliationOf(day)}>{day}</TextLink>
            <span className="font-semibold text-warn">{open}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Differences(props: { differences: ReconciliationShown["differences"]; posted: PostedForm | null }) {
  const t = useT();
  const { differences, posted } = props;
  const open = differences.filter(({ state }) => state === "open");
  const closed = differences.filter(({ state }) => state !== "open");
  return (
    <>
      {open.length > 0 && (
        <Card title={t("admin.recon.open")}>
          <ul className="grid items-start gap-4 lg:grid-cols-2">
            {open.map((one) => (
              <DifferenceItem key={one.id} difference={one} posted={posted} />
            ))}
          </ul>
        </Card>
      )}
      {closed.length > 0 && (
        <Disclosure summary={t("admin.recon.closed", { total: closed.length })}>
          <ul className="grid items-start gap-4 lg:grid-cols-2">
            {closed.map((one) => (
              <DifferenceItem key={one.id} difference={one} posted={posted} />
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
}
