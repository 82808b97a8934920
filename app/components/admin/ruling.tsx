import { moment, money } from "#format";
import { ruling } from "#forms/escrow";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Errors, Field, Select, TextField } from "../field.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";
import { Summary } from "../trade/summary.tsx";

const rulings = ["release", "refund", "split"] as const;

/** The dispute team's ruling: to whom the held money goes, and why. Asked a second time, naming the sum. */
export function Ruling({ held, posted }: { held: number; posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("rule", ruling, posted);
  const sum = money(held);
  return (
    <details
      id="details-rule"
      className="rounded-control border border-line px-3"
      open={posted?.form === "rule"}
    >
      <Summary>{t("admin.rule")}</Summary>
      <form method="post" className="grid gap-3 pb-3" noValidate>
        <input type="hidden" name="form" value="rule" />
        <p>{t("admin.ruleAsk", { sum })}</p>
        <Errors id={form.errorId} errors={form.errors} />
        <Select
          label={t("admin.ruling.label")}
          field={fields.ruling}
          options={rulings.map((value) => ({ value, label: t(`admin.ruling.${value}`) }))}
        />
        <Field
          label={t("admin.ruling.refundAmount")}
          field={fields.refundAmount}
          hint={t("admin.ruling.refundHint")}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField label={t("admin.ruling.reason")} field={fields.reason} />
        <Button>{t("trade.yes", { what: t("admin.rule") })}</Button>
      </form>
    </details>
  );
}

interface Disputed {
  openedBy: string;
  openedAt: string;
  outcome: string | null;
  statements: Array<{ by: string; body: string; at: string }>;
}

/** What the sides said in their disputes, the oldest first. */
export function Statements({ disputes }: { disputes: Disputed[] }) {
  const t = useT();
  const who = (by: string) => (by === "buyer" || by === "seller" ? t(`roles.${by}`) : t("header.admin"));
  if (disputes.length === 0) return null;
  return (
    <Card title={t("trade.dispute")}>
      {disputes.map((dispute) => (
        <section key={dispute.openedAt} className="grid gap-2">
          <h3 className="font-semibold">
            {t("trade.disputeBy", { role: who(dispute.openedBy) })} · {moment(dispute.openedAt)}
          </h3>
          <ul className="grid gap-2">
            {dispute.statements.map((said) => (
              <li key={`${said.by}${said.at}`} className="border-l-4 border-line pl-3">
                <p className="text-sm text-quiet">
                  {who(said.by)} · {moment(said.at)}
                </p>
                <p className="whitespace-pre-wrap wrap-anywhere">{said.body}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Card>
  );
}
