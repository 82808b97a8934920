import { bankInfo, info } from "#forms/escrow";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Errors, TextField } from "../field.tsx";
import { GivenList } from "../given.tsx";
import { useT } from "../i18n.tsx";
import { usePostedForm } from "../posted-form.ts";
import { Act } from "./act.tsx";
import { BankFields, BuyerFields } from "./bank-fields.tsx";
import { Summary } from "./summary.tsx";
import type { Contact, InTrade } from "./types.ts";

/** What the two sides tell each other once the money is held; to be read alone when the trade is over. */
export function Information(props: InTrade) {
  const t = useT();
  const { trade, role } = props;
  const other = role === "buyer" ? "seller" : "buyer";
  return (
    <Card title={t("info.title")}>
      <Shown
        title={t("info.theirs", { role: t(`roles.${other}`) })}
        contact={trade.theirs}
        over={trade.over}
      />
      <Shown title={t("info.mine")} contact={trade.mine} over={trade.over} />
      {!trade.over && (
        <>
          {trade.can.bankInfo && <DetailsForm {...props} />}
          {trade.can.shareInfo && <ShareForm {...props} />}
          {trade.can.confirmInfo && (
            <Act form="confirm-info" label={t("info.confirm")} look={confirmLook(props)} />
          )}
        </>
      )}
    </Card>
  );
}

/** Confirming is the main thing only once one's own details stand and no form above it waits to be saved. */
function confirmLook({ trade, posted }: InTrade): "primary" | "plain" {
  const trading = trade.status === "payment_confirmed" || trade.status === "exchange_completed";
  return trading && trade.mine.accountName !== null && posted?.form !== "bank-info" ? "primary" : "plain";
}

function Shown({ title, contact, over }: { title: string; contact: Contact; over: boolean }) {
  const t = useT();
  const given = Object.values(contact).some((value) => typeof value === "string");
  return (
    <section className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      <GivenList given={contact} none={t(over ? "info.notGiven" : "info.notProvided")} />
      {contact.confirmed && <p className="text-sm">{t("info.confirmed")}</p>}
      {!contact.confirmed && given && !over && <p className="text-sm">{t("info.notConfirmed")}</p>}
    </section>
  );
}

function DetailsForm({ role, trade, posted, prefill }: InTrade) {
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
  const open = posted?.form === "bank-info" || (!given && trade.status !== "settlement_pending");
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

function ShareForm({ posted }: InTrade) {
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
