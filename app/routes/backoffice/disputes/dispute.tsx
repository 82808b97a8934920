import { useActionData, useLoaderData } from "react-router";
import { handleDisputeForm, previewedRulingOf } from "#app/routes/backoffice/disputes/dispute-actions";
import { notFound, parseId, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { formatMoney } from "#format";
import { getTranslator } from "#locales";
import { adminDispute } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { TextLink } from "../../../ui/forms/button.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { Countdown } from "../../../ui/trade/progress/clocks.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import { HoldNotice } from "../transactions/holds/hold-notice.tsx";
import type { Route } from "./+types/dispute.ts";
import { Cases } from "./cases.tsx";
import { Evidence } from "./evidence.tsx";
import { Mediator } from "./mediator.tsx";
import { ProposedRuling } from "./proposed-ruling.tsx";
import { Ruling } from "./ruling.tsx";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const id = parseId(params.id);
  const found = await adminDispute(admin, id);
  if (!found.ok) throw notFound("record");
  const { dispute } = found;
  const open = dispute.status === "disputed" && !dispute.ownTrade;
  const title = getTranslator(admin.language)("admin.dispute.title", { code: dispute.transactionCode });
  const search = open ? new URL(request.url).searchParams : new URLSearchParams();
  return { title, dispute, open, ...(await previewedRulingOf(admin, id, search)) };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  return handleDisputeForm(admin, parseId(params.id), await postedForm(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminDispute() {
  const t = useT();
  const { title, dispute, open, draft, asked } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { transactionId: id, cases, mine, ownTrade } = dispute;
  const mediator = cases.at(-1)?.mediator ?? null;
  return (
    <Page>
      <BackofficeNavigation at="transactions" within />
      <TextLink to={paths.adminTransaction(id)}>
        {t("admin.transcript.back", { code: dispute.transactionCode })}
      </TextLink>
      <PageHead title={title} lead={t(`status.${dispute.status}`)} />
      {dispute.status === "disputed" && <HoldNotice reasons={dispute.holds} tradeId={id} />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Summary dispute={dispute} />
        {dispute.status === "disputed" && (
          <Mediator
            id={id}
            mediator={mediator}
            answered={dispute.answered}
            mine={mine}
            ownTrade={ownTrade}
            posted={posted}
          />
        )}
        {open && dispute.proposal !== null && <ProposedRuling proposal={dispute.proposal} posted={posted} />}
        <Cases cases={cases} />
        {open && (mine || mediator === null) && (
          <Ruling
            here={paths.adminDispute(id)}
            held={dispute.heldAmount}
            vault={dispute.vault.revision}
            draft={draft}
            asked={asked}
            posted={posted}
          />
        )}
        <Evidence id={id} pictures={dispute.pictures} ownTrade={ownTrade} />
      </div>
    </Page>
  );
}

type Dispute = ReturnType<typeof useLoaderData<typeof loader>>["dispute"];

/** The parties, the amount held, and the deadlines for their statements and for Midman's ruling. */
function Summary({ dispute }: { dispute: Dispute }) {
  const t = useT();
  const text = useText();
  const rows = [
    [t("roles.buyer"), dispute.buyer.displayName],
    [t("roles.seller"), dispute.seller.displayName],
    [t("admin.description"), dispute.description ?? "–"],
    [t("trade.gross"), formatMoney(dispute.grossAmount)],
    [t("admin.dispute.held"), formatMoney(dispute.heldAmount)],
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
      <ul className="grid gap-1">
        {dispute.clocks.map(({ kind, dueAt, overdue }) => (
          <li
            key={kind}
            data-clock={kind}
            className={`flex flex-wrap justify-between gap-x-4 rounded-control px-3 py-2 ${overdue ? "bg-bad-soft text-bad" : "bg-sunk"}`}
          >
            <span>{text(`clock.what.${kind}`)}</span>
            {overdue ? (
              <strong>{t("clock.overdue")}</strong>
            ) : (
              <Countdown until={dueAt} serverNow={dispute.serverTime} near={7_200} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
