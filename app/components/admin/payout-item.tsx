import { money } from "#format";
import { banks, settle } from "#forms/escrow";
import { Button } from "../button.tsx";
import { Copyable } from "../copyable.tsx";
import { Errors, Field } from "../field.tsx";
import { useLanguage, useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";

interface Destination {
  bankName: string;
  accountName: string;
  accountNumber: string;
  iban?: string | undefined;
}

interface PayoutShown {
  id: number;
  kind: "payout" | "refund";
  amount: number;
  state: "due" | "approved" | "sent" | "done" | "unknown" | "void";
  destination: Destination | null;
  bankReference: string | null;
  fourEyes: boolean;
  referenceMissing: boolean;
  /** Codes of the banks a refund's money came from. */
  payerBanks: string[];
}

/** One payout or refund: how much, to whom, how far it is, and the next step. */
export function PayoutItem({ payout, posted }: { payout: PayoutShown; posted: Posted | null }) {
  const t = useT();
  const language = useLanguage();
  const { destination } = payout;
  return (
    <section className="grid gap-3 border-t border-line pt-3" aria-label={t(`admin.kind.${payout.kind}`)}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <strong>
          {t(`admin.kind.${payout.kind}`)} · <span data-payout-state>{t(`admin.state.${payout.state}`)}</span>
        </strong>
        <strong className="ml-auto text-xl tabular-nums">{money(payout.amount)}</strong>
      </p>
      {destination === null ? (
        <p className="text-warn">{t("admin.noDestination")}</p>
      ) : (
        <div className="grid gap-2">
          <Copyable label={t("info.accountNumber")} value={destination.accountNumber} />
          <p className="wrap-anywhere">
            {destination.bankName} · {destination.accountName}
            {destination.iban && ` · ${destination.iban}`}
          </p>
        </div>
      )}
      {payout.payerBanks.length > 0 && (
        <p className="text-sm text-quiet">
          {t("admin.cameFrom", { banks: bankNames(payout.payerBanks, language) })}
        </p>
      )}
      {payout.bankReference && <p className="font-mono text-sm">{payout.bankReference}</p>}
      <Next payout={payout} posted={posted} />
    </section>
  );
}

/** The banks by name; a code that is not in our list stays as it is. */
export function bankNames(codes: string[], language: "en" | "mn"): string {
  return codes.map((code) => banks.find((bank) => bank.code === code)?.[language] ?? code).join(", ");
}

function Next({ payout, posted }: { payout: PayoutShown; posted: Posted | null }) {
  const t = useT();
  const { state } = payout;
  if (payout.destination === null) return null;
  if (state === "due" && payout.fourEyes) {
    return <PayoutPress payout={payout} form="approve" label={t("admin.approve")} look="primary" />;
  }
  return (
    <>
      {(state === "due" || state === "approved" || payout.referenceMissing) && (
        <Send payout={payout} posted={posted} />
      )}
      {state === "sent" && <PayoutPress payout={payout} form="done" label={t("admin.seen")} />}
    </>
  );
}

function PayoutPress(props: {
  payout: PayoutShown;
  form: string;
  label: string;
  look?: "primary" | "plain";
}) {
  return (
    <form method="post" className="grid justify-items-start">
      <input type="hidden" name="form" value={props.form} />
      <input type="hidden" name="payout" value={props.payout.id} />
      <Button look={props.look ?? "plain"}>{props.label}</Button>
    </form>
  );
}

function Send({ payout, posted }: { payout: PayoutShown; posted: Posted | null }) {
  const t = useT();
  const kind = payout.state === "due" ? "settle" : "send";
  const [form, fields] = usePostedForm(`${kind}-${payout.id}`, settle, posted);
  return (
    <form method="post" className="grid gap-3" noValidate>
      <input type="hidden" name="form" value={kind} />
      <input type="hidden" name="payout" value={payout.id} />
      <Errors id={form.errorId} errors={form.errors} />
      <Field label={t("admin.bankReference")} field={fields.bankReference} autoComplete="off" />
      <Button>{t("admin.settle", { sum: money(payout.amount) })}</Button>
    </form>
  );
}
