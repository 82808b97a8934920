import { formatMoney } from "#format";
import { decideHeldMoneySchema } from "#forms/escrow";
import type { AdminTradeView } from "#views/escrow";
import { paths } from "../../../paths.ts";
import { Button, ButtonLink, SpokenContext } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import { AdminErrors } from "../form-errors.tsx";
import type { PayoutShown } from "../payouts/payout-item.tsx";

type DecisionDetail = Pick<
  AdminTradeView,
  "transaction" | "heldAmount" | "vault" | "payouts" | "decisions" | "hiddenAt" | "erasedAt" | "ownTrade"
>;
type Shares = NonNullable<AdminTradeView["decisions"]["complete"]>;

/**
 * The decisions that an administrator can make about a trade. One that moves money asks for the typed amount; for money that is disputed or
 * already due, links lead to the page of the dispute or the payout.
 */
export function Decisions({ detail, posted }: { detail: DecisionDetail; posted: PostedForm | null }) {
  const t = useT();
  const { decisions, heldAmount, ownTrade, transaction, vault } = detail;
  const held = heldAmount > 0;
  const sum = formatMoney(transaction.grossAmount);
  if (ownTrade) {
    return (
      <Card title={t("admin.actions")}>
        <p className="font-semibold text-warn">{t("errors.OWN_TRADE")}</p>
      </Card>
    );
  }
  const ended = transaction.status === "completed" || transaction.status === "cancelled";
  return (
    <Card title={t("admin.actions")}>
      {detail.hiddenAt && <p className="font-semibold text-warn">{t("admin.deleted")}</p>}
      {detail.erasedAt && <p className="font-semibold text-warn">{t("admin.erased")}</p>}
      <TradeStepForm form="notify" label={t("admin.notify")} look="plain" />
      <DecisionElsewhere detail={detail} />
      {decisions.complete && !held && (
        <TradeStepForm
          form="complete"
          label={t("admin.complete")}
          look="plain"
          ask={t("admin.completeNone", { sum })}
        />
      )}
      {decisions.complete && held && (
        <DecisionForm form="pay-seller" shares={decisions.complete} vault={vault} posted={posted} />
      )}
      {decisions.cancel && !held && (
        <TradeStepForm
          form="cancel"
          label={t("admin.cancel")}
          look="danger"
          ask={t("admin.cancelNone", { sum })}
        />
      )}
      {decisions.cancel && held && (
        <DecisionForm form="cancel" shares={decisions.cancel} vault={vault} posted={posted} />
      )}
      {detail.hiddenAt === null && !held && ended && (
        <TradeStepForm
          form="delete"
          label={t("admin.delete")}
          look="danger"
          ask={t("admin.deleteAsk", { sum })}
        />
      )}
    </Card>
  );
}

const unsentPayoutStates: ReadonlyArray<PayoutShown["state"]> = ["due", "approved", "unknown"];

/** Why the trade cannot be completed or cancelled here, and where or with whom it continues. */
function DecisionElsewhere({
  detail: { transaction, payouts, heldAmount, decisions },
}: {
  detail: DecisionDetail;
}) {
  const t = useT();
  const { id, status } = transaction;
  if (status === "disputed") {
    return (
      <>
        <p>{t("admin.decide.disputed")}</p>
        <ButtonLink to={paths.adminDispute(id)}>{t("admin.work.open.dispute")}</ButtonLink>
      </>
    );
  }
  const due = payouts.filter(({ state }) => unsentPayoutStates.includes(state));
  const paid = heldAmount > 0 && (status === "payment_confirmed" || status === "exchange_completed");
  return (
    <>
      {due.length > 0 && <p>{t("admin.decide.due")}</p>}
      {due.map((one) => (
        <ButtonLink key={one.id} to={paths.adminPayout(one.id)}>
          {t(`admin.work.open.${one.kind}`)}
          <SpokenContext of={`${formatMoney(one.amount)}, ${t(`admin.state.${one.state}`)}`} />
        </ButtonLink>
      ))}
      {paid && decisions.complete === null && (
        <p className="font-semibold text-warn">{t("admin.decide.noAccount")}</p>
      )}
      {decisions.cancelledBy !== null && <p>{t("admin.decide.mediator", { name: decisions.cancelledBy })}</p>}
    </>
  );
}

/** What an administrator should know of the vault before the money goes one way. */
function vaultWarning({ state, openedAt }: AdminTradeView["vault"], pays: boolean) {
  if (pays) return state === "sealed" ? "admin.payUnopened" : null;
  return openedAt === null ? null : "trade.cancelOpened";
}

/** A decision about held money: what each party gets, and the typed amount. It names the state of the vault that is shown. */
function DecisionForm(props: {
  form: "pay-seller" | "cancel";
  shares: Shares;
  vault: AdminTradeView["vault"];
  posted: PostedForm | null;
}) {
  const t = useT();
  const { toBuyer, toSeller, fee } = props.shares;
  const [form, fields] = usePostedForm(props.form, decideHeldMoneySchema, props.posted);
  const pays = props.form === "pay-seller";
  const [label, sum] = pays ? [t("admin.complete"), toSeller] : [t("admin.cancel"), toBuyer];
  const look = pays ? "plain" : "danger";
  const warning = vaultWarning(props.vault, pays);
  return (
    <Disclosure
      id={`step-${props.form}`}
      summary={label}
      look={look}
      open={props.posted?.form === props.form}
    >
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value={props.form} />
        <input type="hidden" name="vaultShown" value={props.vault.revision} />
        <p>{t(pays ? "admin.completeAsk" : "admin.cancelAsk", { sum: formatMoney(sum) })}</p>
        <FactList
          rows={[
            { label: t("admin.dispute.toBuyer"), value: formatMoney(toBuyer), strong: !pays },
            { label: t("admin.dispute.toSeller"), value: formatMoney(toSeller), strong: pays },
            { label: t("admin.dispute.fee"), value: formatMoney(fee) },
          ]}
        />
        {warning !== null && <p className="font-semibold text-warn">{t(warning)}</p>}
        <AdminErrors id={form.errorId} errors={form.errors} />
        <Field
          label={t(pays ? "admin.dispute.typeSeller" : "admin.dispute.typeBuyer", { sum: formatMoney(sum) })}
          field={fields.sum}
          unit="₮"
          inputMode="numeric"
          autoComplete="off"
        />
        <Button look={look}>{t("trade.yes", { what: label })}</Button>
      </PersonForm>
    </Disclosure>
  );
}
