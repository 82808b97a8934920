import type { ReactNode } from "react";
import { useActionData, useLoaderData } from "react-router";
import { handleTransactionForm } from "#app/routes/backoffice/transactions/transaction-actions";
import { notFound, parseId, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { formatMoney } from "#format";
import { adminTrade, tradeRecords } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { TextLink } from "../../../ui/forms/button.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { MoneyState } from "../../../ui/trade/progress/money-state.tsx";
import { TradeLine } from "../../../ui/trade/progress/trade-line.tsx";
import { moneyStatusOf } from "../../../ui/trade/state/trade-state.ts";
import { VaultMoments } from "../../../ui/trade/vault/vault-moments.tsx";
import { Cases } from "../disputes/cases.tsx";
import { Moment } from "../moment.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import { PayoutItem } from "../payouts/payout-item.tsx";
import type { Route } from "./+types/transaction.ts";
import { Decisions } from "./decisions.tsx";
import { ExchangeCard } from "./exchange-card.tsx";
import { HoldNotice } from "./holds/hold-notice.tsx";
import { Activity, Journals } from "./trade-records.tsx";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const id = parseId(params.id);
  const [found, kept] = await Promise.all([adminTrade(admin, id), tradeRecords(admin, id)]);
  if (!found.ok || !kept.ok) throw notFound("record");
  return { detail: found.detail, records: kept.records };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  return handleTransactionForm(admin, parseId(params.id), await postedForm(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.detail.transaction.transactionCode },
];

export default function AdminTransaction() {
  const t = useT();
  const { detail, records } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { transaction: trade } = detail;
  return (
    <Page>
      <BackofficeNavigation at="transactions" within />
      <PageHead
        title={trade.transactionCode}
        lead={trade.status !== trade.standing.money && t(`status.${trade.status}`)}
      >
        <MoneyState money={moneyStatusOf(trade)} />
      </PageHead>
      <Card tight label={t("line.label")}>
        <TradeLine {...trade.standing} ended={trade.standing.ended || trade.status === "disputed"} />
      </Card>
      <HoldNotice reasons={detail.holds} tradeId={trade.id} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Summary detail={detail} />
        <Money detail={detail} />
        {detail.disputes.length > 0 && <Cases cases={detail.disputes} to={paths.adminDispute(trade.id)} />}
        <VaultMoments vault={detail.vault} title={t("vault.title")} />
        <ExchangeCard
          seller={detail.infoExchange.sellerInfo}
          buyer={detail.infoExchange.buyerInfo}
          sellerErased={detail.infoExchange.sellerInfoErased}
          buyerErased={detail.infoExchange.buyerInfoErased}
          sellerConfirmed={detail.infoExchange.sellerConfirmed}
          buyerConfirmed={detail.infoExchange.buyerConfirmed}
        />
        <Steps detail={detail} />
        <Decisions detail={detail} posted={posted} />
        <Journals journals={records.journals} />
        <Activity activity={records.activity} />
        <Card title={t("admin.transcript.card")}>
          <p>{t("admin.transcript.lead")}</p>
          <TextLink to={paths.adminTranscript(trade.id)}>{t("admin.transcript.read")}</TextLink>
        </Card>
      </div>
    </Page>
  );
}

type Detail = ReturnType<typeof useLoaderData<typeof loader>>["detail"];

function Summary({ detail }: { detail: Detail }) {
  const t = useT();
  const { transaction: trade, buyer, seller } = detail;
  const rows: Array<[string, ReactNode]> = [
    [t("admin.created"), <Moment key="at" at={trade.createdAt} />],
    [t("trade.gross"), formatMoney(trade.grossAmount)],
    [t("trade.fee", { payer: t(`trade.feePayer.${trade.feePayer}`) }), formatMoney(trade.serviceFee)],
    [t("trade.net"), formatMoney(trade.netAmount)],
    [t("admin.description"), trade.description ?? "–"],
    [t("roles.buyer"), `${buyer.displayName} (@${buyer.username})`],
    [t("roles.seller"), `${seller.displayName} (@${seller.username})`],
  ];
  return (
    <Card title={t("admin.summary")}>
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-6 gap-y-1 tabular-nums">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-quiet">{label}</dt>
            <dd className="font-semibold wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Money({ detail }: { detail: Detail }) {
  const t = useT();
  return (
    <Card title={t("admin.money")}>
      <p className="tabular-nums">{t("admin.received", { sum: formatMoney(detail.receivedAmount) })}</p>
      <p className="tabular-nums">{t("admin.held", { sum: formatMoney(detail.heldAmount) })}</p>
      {detail.payouts.length === 0 && <p className="text-quiet">{t("admin.nothingWaits")}</p>}
      {detail.payouts.map((payout) => (
        <PayoutItem key={payout.id} payout={payout} />
      ))}
      <TextLink to={paths.adminByHand(detail.transaction.id)}>{t("admin.byHandPage.title")}</TextLink>
      <TextLink to={paths.adminHolds(detail.transaction.id)}>{t("admin.hold.link")}</TextLink>
    </Card>
  );
}

function Steps({ detail }: { detail: Detail }) {
  const t = useT();
  const text = useText();
  return (
    <Card title={t("admin.timeline")}>
      {detail.steps.every(({ completedAt }) => completedAt === null) && (
        <p className="text-quiet">{t("admin.noSteps")}</p>
      )}
      <ol className="grid gap-1">
        {detail.steps.map((step) => (
          <li key={step.step} className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">{text(`steps.${step.step}`)}</span>
            <span className="text-quiet tabular-nums">
              {step.completedAt ? <Moment at={step.completedAt} /> : "–"}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
