import { Printer } from "lucide";
import { useLoaderData } from "react-router";
import { notFound, parseId, requireAdministrator } from "#app/server/pages/page-context";
import { formatLongMoment, formatMoney } from "#format";
import { getTranslator } from "#locales";
import { payoutPage } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { BankName } from "../../../ui/trade/bank-name.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/receipt.ts";

/** The receipt of a sent payout, for printing; there is none before it is sent. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const found = await payoutPage(admin, parseId(params.id));
  if (!found.ok || !["sent", "done"].includes(found.payout.state)) throw notFound("record");
  const { payout } = found;
  return { payout, title: getTranslator(admin.language)("admin.receipt.title", { id: payout.id }) };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminReceipt() {
  const t = useT();
  const language = useLanguage();
  const { payout, title } = useLoaderData<typeof loader>();
  const { destination, moments, transaction } = payout;
  const when = (what: string) => moments.find((moment) => moment.what === what);
  const [approved, sent, done] = [when("approved"), when("sent"), when("done")];
  const stamp = (one: { at: string; by: string | null } | undefined) =>
    one && [formatLongMoment(one.at, language), one.by].filter(Boolean).join(" · ");
  const rows = [
    [t("admin.receipt.kind"), t(`admin.kind.${payout.kind}`)],
    [t("admin.receipt.transaction"), transaction.code],
    [t("admin.receipt.recipient"), payout.recipient?.displayName],
    [t("info.bankName"), destination?.bankName && <BankName name={destination.bankName} />],
    [t("info.accountName"), destination?.accountName],
    [t("info.accountNumber"), destination?.accountNumber],
    [t("info.iban"), destination?.iban],
    [t("admin.payout.bankReference"), payout.bankReference ?? t("admin.referenceMissing")],
    [t("admin.payout.moment.approved"), stamp(approved)],
    [t("admin.payout.moment.sent"), stamp(sent)],
    [t("admin.payout.moment.done"), stamp(done)],
  ] as const;
  return (
    <Page width="text">
      <div data-noprint className="min-w-0 space-y-4">
        <BackofficeNavigation at="payouts" within />
      </div>
      <PageHead title={title} lead={t("admin.receipt.from")} />
      <Card label={title}>
        <FactList
          rows={[
            ...rows.flatMap(([label, value]) => (value ? [{ label, value }] : [])),
            { label: t("admin.payout.fee"), value: formatMoney(payout.fee) },
            { label: t("admin.receipt.sent"), value: formatMoney(payout.amount), strong: true },
          ]}
        />
        <p className="text-sm text-quiet">
          {t("admin.receipt.made", { at: formatLongMoment(payout.serverTime, language) })}
        </p>
      </Card>
      <div className="flex flex-wrap items-center gap-4" data-noprint>
        <Button type="button" hidden data-print>
          <Icon of={Printer} className="size-4" />
          {t("settings.codes.print")}
        </Button>
        <TextLink to={paths.adminPayout(payout.id)}>{t("admin.receipt.back")}</TextLink>
      </div>
    </Page>
  );
}
