import { useActionData, useLoaderData } from "react-router";
import { handleMoneyForm } from "#app/routes/backoffice/money/money-actions";
import { postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { moneyPageSchema } from "#forms/payments";
import { getTranslator } from "#locales";
import { readLedgerStatus, readTreasury } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../../ui/layout/card.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/money.ts";
import { HaltSwitch } from "./halt-switch.tsx";
import { Ledger } from "./ledger.tsx";
import { Suspense } from "./suspense.tsx";
import { Transfers } from "./transfers.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const asked = new URL(request.url).searchParams.get("before") ?? undefined;
  const before = moneyPageSchema.shape.before.safeParse(asked).data;
  const [found, proved] = await Promise.all([readTreasury(admin, { before }), readLedgerStatus(admin)]);
  if (!found.ok || !proved.ok) throw new Error("admin: an administrator was refused the treasury");
  return {
    ...found.treasury,
    ledger: proved.ledger,
    paged: before !== undefined,
    title: getTranslator(admin.language)("admin.moneyDesk.title"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  return handleMoneyForm(requireAdministrator(context, request), await postedForm(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminMoney() {
  const t = useT();
  const { halt, suspense, next, paged, today, ledger } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page>
      <BackofficeNavigation at="money" />
      <PageHead title={t("admin.moneyDesk.title")} lead={t("admin.moneyDesk.lead")}>
        <ButtonLink to={paths.adminSettlements}>{t("admin.settlements.title")}</ButtonLink>
      </PageHead>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <HaltSwitch halt={halt} posted={posted} />
        <Transfers today={today} />
      </div>
      <Ledger {...ledger} />
      <Suspense rows={suspense} next={next} paged={paged} />
    </Page>
  );
}
