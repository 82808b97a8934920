import { useActionData, useLoaderData } from "react-router";
import { handleManualPaymentForm } from "#app/routes/backoffice/transactions/manual-payment/manual-payment-action";
import { notFound, parseId, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { formatMoney } from "#format";
import { manualPaymentSchema } from "#forms/escrow";
import { getTranslator } from "#locales";
import { adminTrade } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { AdminErrors } from "../form-errors.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/manual-payment.ts";
import { DiscardedProposals, DiscardForm, Proposal } from "./manual-payment/proposal.tsx";

/** A payment that the provider cannot report, confirmed by two administrators who both saw it on the bank statement. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const found = await adminTrade(admin, parseId(params.id));
  if (!found.ok) throw notFound("record");
  const { transaction, heldAmount, receivedAmount, ownTrade, byHand } = found.detail;
  const { id, transactionCode, grossAmount } = transaction;
  return {
    ...{ id, transactionCode, grossAmount, heldAmount, receivedAmount, ownTrade },
    proposal: byHand.open,
    laidAside: byHand.laidAside,
    title: `${getTranslator(admin.language)("admin.byHandPage.title")} · ${transactionCode}`,
  };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  return handleManualPaymentForm(admin, parseId(params.id), await postedForm(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminManualPayment() {
  const t = useT();
  const trade = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { proposal } = trade;
  return (
    <Page width="text">
      <BackofficeNavigation at="transactions" within />
      <PageHead title={t("admin.byHandPage.title")} lead={t("admin.byHandPage.lead")} />
      <Card title={trade.transactionCode}>
        <FactList
          rows={[
            { label: t("trade.gross"), value: formatMoney(trade.grossAmount) },
            { label: t("admin.byHandPage.received"), value: formatMoney(trade.receivedAmount) },
            { label: t("admin.byHandPage.held"), value: formatMoney(trade.heldAmount), strong: true },
          ]}
        />
        <TextLink to={paths.adminTransaction(trade.id)}>{t("admin.byHandPage.back")}</TextLink>
      </Card>
      {proposal !== null && <Proposal proposal={proposal} />}
      <Entry />
      {proposal !== null && <DiscardForm of="proposal" id={proposal.id} posted={posted} />}
      {trade.laidAside.length > 0 && <DiscardedProposals all={trade.laidAside} />}
    </Page>
  );
}

/**
 * The form, for administrators who may use it. An obstacle to confirming is shown above; its proposer removes it by entering the payment
 * again.
 */
function Entry() {
  const t = useT();
  const { proposal, ownTrade } = useLoaderData<typeof loader>();
  if (ownTrade) return <p className="font-semibold text-warn">{t("errors.OWN_TRADE")}</p>;
  return proposal?.obstacle && !proposal.own ? null : <Form />;
}

function Form() {
  const t = useT();
  const posted = useActionData<typeof action>() ?? null;
  const { proposal } = useLoaderData<typeof loader>();
  const [form, fields] = usePostedForm("by-hand", manualPaymentSchema, posted);
  const second = proposal !== null && !proposal.own;
  return (
    <Card title={t("admin.byHandPage.seen")}>
      <PersonForm className="grid gap-3" noValidate>
        <AdminErrors id={form.errorId} errors={form.errors} />
        <Field
          label={t("admin.payout.sum")}
          hint={t("admin.byHandPage.sumHint")}
          field={fields.amount}
          unit="₮"
          inputMode="numeric"
          autoComplete="off"
        />
        <Field
          label={t("admin.byHandPage.reference")}
          field={fields.reference}
          autoComplete="off"
          spellCheck={false}
        />
        <Button>{t(second ? "admin.byHandPage.confirm" : "admin.byHandPage.propose")}</Button>
      </PersonForm>
    </Card>
  );
}
