import { bankInfo, info, refundDestination } from "#forms/escrow";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Errors, TextField } from "../field.tsx";
import { GivenList } from "../given.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";
import { Act } from "./act.tsx";
import { BankFields, BuyerFields } from "./bank-fields.tsx";
import { Summary } from "./summary.tsx";
import type { Contact, PanelProps, TradeShown } from "./types.ts";

type Props = PanelProps & { trade: TradeShown; posted: Posted | null };

/** What the two sides tell each other once the money is held, and where money goes afterwards. */
export function Information(props: Props) {
  const t = useT();
  const { trade, role } = props;
  const other = role === "buyer" ? "seller" : "buyer";
  return (
    <Card title={t("info.title")}>
      <Shown title={t("info.theirs", { role: t(`roles.${other}`) })} contact={trade.theirs} />
      <Shown title={t("info.mine")} contact={trade.mine} />
      {trade.can.bankInfo && <DetailsForm {...props} />}
      {trade.can.shareInfo && <ShareForm {...props} />}
      {trade.can.confirmInfo && <Act form="confirm-info" label={t("info.confirm")} />}
      {trade.can.refundDestination && <RefundForm {...props} />}
    </Card>
  );
}

function Shown({ title, contact }: { title: string; contact: Contact }) {
  const t = useT();
  return (
    <section className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      <GivenList given={contact} none={t("info.notProvided")} />
      <p className="text-sm">{t(contact.confirmed ? "info.confirmed" : "info.notConfirmed")}</p>
    </section>
  );
}

function DetailsForm({ role, trade, posted, prefill }: Props) {
  const t = useT();
  const { mine } = trade;
  const [form, fields] = usePostedForm("bank-info", bankInfo, posted, {
    accountName: mine.accountName ?? prefill.accountName,
    phoneNumber: mine.phoneNumber ?? prefill.phoneNumber,
    email: mine.email ?? prefill.email,
    ...(role === "seller" && {
      accountNumber: mine.accountNumber ?? prefill.accountNumber,
      bankName: mine.bankName,
      ibanNumber: mine.iban,
    }),
  } as never);
  const given = mine.accountName !== null;
  const open = posted?.form === "bank-info" || !given;
  return (
    <details id="details-bank" open={open}>
      <Summary>
        {t(given ? "info.correct" : role === "seller" ? "info.giveBank" : "info.giveContact")}
      </Summary>
      <form method="post" className="grid gap-3 pt-3" noValidate>
        <input type="hidden" name="form" value="bank-info" />
        <input type="hidden" name="infoType" value={role} />
        <Errors id={form.errorId} errors={form.errors} />
        {role === "seller" ? (
          <BankFields fields={fields as never} contact />
        ) : (
          <BuyerFields fields={fields as never} />
        )}
        <Button>{t("info.submit")}</Button>
      </form>
    </details>
  );
}

function ShareForm({ posted }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("info", info, posted);
  return (
    <details id="details-info" open={posted?.form === "info"}>
      <Summary>{t("info.share")}</Summary>
      <form method="post" className="grid gap-3 pt-3" noValidate>
        <input type="hidden" name="form" value="info" />
        <Errors id={form.errorId} errors={form.errors} />
        <TextField label={t("info.text")} field={fields.info} />
        <Button look="plain">{t("info.shareSubmit")}</Button>
      </form>
    </details>
  );
}

function RefundForm({ posted, prefill }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("refund-destination", refundDestination, posted, {
    accountName: prefill.accountName,
    accountNumber: prefill.accountNumber,
  });
  return (
    <form method="post" className="grid gap-3" noValidate>
      <h3 className="font-semibold">{t("info.refundTitle")}</h3>
      <input type="hidden" name="form" value="refund-destination" />
      <Errors id={form.errorId} errors={form.errors} />
      <BankFields fields={fields as never} contact={false} />
      <Button>{t("info.submit")}</Button>
    </form>
  );
}
