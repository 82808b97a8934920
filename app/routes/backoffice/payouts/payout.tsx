import { useActionData, useLoaderData } from "react-router";
import { handlePayoutForm } from "#app/routes/backoffice/payouts/payout-actions";
import { notFound, parseId, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { formatMoney, formatWhen } from "#format";
import { getTranslator } from "#locales";
import { payoutPage } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { ButtonLink, TextLink } from "../../../ui/forms/button.tsx";
import { CopyableValue } from "../../../ui/forms/copyable-value.tsx";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { Countdown } from "../../../ui/trade/progress/clocks.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import { HoldNotice } from "../transactions/holds/hold-notice.tsx";
import type { Route } from "./+types/payout.ts";
import { Correction } from "./correction.tsx";
import { Moments, Sums, Transfer } from "./payout-facts.tsx";
import { PayoutSteps } from "./payout-steps.tsx";

/** One payout or refund: amount, recipient, state, and the next step. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const found = await payoutPage(admin, parseId(params.id));
  if (!found.ok) throw notFound("record");
  const { payout } = found;
  const t = getTranslator(admin.language);
  return { payout, title: `${t(`admin.kind.${payout.kind}`)} · ${payout.transaction.code}` };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  return handlePayoutForm(admin, parseId(params.id), await postedForm(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

type PayoutDetail = ReturnType<typeof useLoaderData<typeof loader>>["payout"];

export default function AdminPayout() {
  const t = useT();
  const { payout } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { kind, state } = payout;
  const stands = state === "due" || state === "approved";
  return (
    <Page>
      <BackofficeNavigation at="payouts" within />
      <PageHead
        title={`${t(`admin.kind.${kind}`)} · ${formatMoney(payout.amount)}`}
        lead={<PayoutHead payout={payout} />}
      >
        {(state === "sent" || state === "done") && (
          <ButtonLink to={paths.adminReceipt(payout.id)}>{t("admin.payout.receipt")}</ButtonLink>
        )}
      </PageHead>
      {stands && <HoldNotice reasons={payout.holds} tradeId={payout.transaction.id} />}
      <FourEyes payout={payout} />
      {payout.correction !== null && (
        <Correction correction={payout.correction} account={payout.destination} state={state} />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Transfer
          amount={payout.amount}
          destination={payout.destination}
          state={state}
          sending={state === "approved" && payout.sender?.own === true}
          whole={payout.whole}
          remark={payout.remark}
          payerBanks={payout.payerBanks}
        />
        <div className="grid gap-6">
          <PayoutSteps payout={payout} posted={posted} />
          <PayoutSummary payout={payout} />
          <Moments moments={payout.moments} reason={payout.reason} />
        </div>
      </div>
    </Page>
  );
}

function PayoutHead({ payout }: { payout: PayoutDetail }) {
  const t = useT();
  const language = useLanguage();
  const { state, overdue, dueAt, serverTime } = payout;
  const waits = state === "due" || state === "approved";
  return (
    <span className="flex flex-wrap items-baseline gap-x-3" data-payout-state={state}>
      <strong>{t(`admin.state.${state}`)}</strong>
      {waits && overdue && <strong className="text-bad">{t("clock.overdue")}</strong>}
      {waits && !overdue && <Countdown until={dueAt} serverNow={serverTime} near={1800} />}
      {waits && (
        <span className="tabular-nums">
          {t("admin.due", { at: formatWhen(dueAt, serverTime, language) })}
        </span>
      )}
      {payout.referenceMissing && <strong className="text-warn">{t("admin.referenceMissing")}</strong>}
    </span>
  );
}

/** Says that the amount needs two administrators, and who has approved it. */
function FourEyes({ payout }: { payout: PayoutDetail }) {
  const t = useT();
  const { fourEyes, moments, state } = payout;
  if (fourEyes === null || state === "done" || state === "void") return null;
  const approver = moments.find(({ what }) => what === "approved")?.by;
  return (
    <Notice tone="info" title={t("admin.payout.fourEyes")}>
      {fourEyes.above !== null && (
        <p>{t("admin.payout.fourEyesAbove", { sum: formatMoney(fourEyes.above) })}</p>
      )}
      {approver && state !== "due" && <p>{t("admin.payout.approvedBy", { name: approver })}</p>}
    </Notice>
  );
}

function PayoutSummary({ payout }: { payout: PayoutDetail }) {
  const t = useT();
  const { transaction, recipient, replaces, replacedBy } = payout;
  return (
    <Card title={t("admin.summary")}>
      <Sums amount={payout.amount} fee={payout.fee} />
      {payout.bankReference !== null && (
        <CopyableValue label={t("admin.payout.bankReference")} value={payout.bankReference} />
      )}
      <p className="flex flex-wrap items-center gap-x-6">
        <TextLink to={paths.adminTransaction(transaction.id)}>{transaction.code}</TextLink>
        <span>{t(`status.${transaction.status}`)}</span>
        {payout.suspense && <span>{t("admin.payout.suspense")}</span>}
      </p>
      {recipient !== null && (
        <TextLink to={paths.adminUser(recipient.id)}>
          {`${recipient.displayName} (@${recipient.username})`}
        </TextLink>
      )}
      {replaces !== null && (
        <TextLink to={paths.adminPayout(replaces)}>{t("admin.payout.replaces", { id: replaces })}</TextLink>
      )}
      {replacedBy !== null && (
        <TextLink to={paths.adminPayout(replacedBy)}>
          {t("admin.payout.replacedBy", { id: replacedBy })}
        </TextLink>
      )}
    </Card>
  );
}
