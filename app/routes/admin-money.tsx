import { useActionData, useLoaderData } from "react-router";
import { actOnMoney } from "#app/http/money-actions";
import { adminOnly, postedForm } from "#app/http/pages";
import { page } from "#forms/payments";
import { translator } from "#locales";
import { ledgerShown, moneyDesk } from "#modules/escrow";
import { DeskNav } from "../components/admin/desk-nav.tsx";
import { HaltSwitch } from "../components/admin/halt-switch.tsx";
import { Ledger } from "../components/admin/ledger.tsx";
import { Suspense } from "../components/admin/suspense.tsx";
import { Transfers } from "../components/admin/transfers.tsx";
import { ButtonLink } from "../components/button.tsx";
import { Page, PageHead } from "../components/card.tsx";
import { useT } from "../components/i18n.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/admin-money.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = adminOnly(context, request);
  const asked = new URL(request.url).searchParams.get("before") ?? undefined;
  const before = page.shape.before.safeParse(asked).data;
  const [found, proved] = await Promise.all([moneyDesk(admin, { before }), ledgerShown(admin)]);
  if (!found.ok || !proved.ok) throw new Error("admin: an administrator was refused the money desk");
  return {
    ...found.desk,
    ledger: proved.ledger,
    paged: before !== undefined,
    title: translator(admin.language)("admin.moneyDesk.title"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  return actOnMoney(adminOnly(context, request), await postedForm(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminMoney() {
  const t = useT();
  const { halt, suspense, next, paged, today, ledger } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page>
      <DeskNav at="money" />
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
