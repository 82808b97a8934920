import { formatLongMoment, formatMoney } from "#format";
import { resolveDifferenceSchema } from "#forms/payments";
import type { DifferenceView } from "#views/escrow";
import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/forms/button.tsx";
import { FormErrors, TextField } from "../../../../ui/forms/field.tsx";
import { PersonForm } from "../../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../../ui/layout/disclosure.tsx";
import { Moment } from "../../moment.tsx";

/** One difference: what does not agree, the next step, and how it was resolved. */
export function DifferenceItem({
  difference,
  posted,
}: {
  difference: DifferenceView;
  posted: PostedForm | null;
}) {
  const t = useT();
  const { cause, state } = difference;
  return (
    <li
      data-row
      data-cause={cause}
      data-state={state}
      className="grid content-start gap-3 rounded-control border border-line p-4"
    >
      <h3 className="font-bold">{t(`admin.recon.cause.${cause}.title`)}</h3>
      <DifferenceSides difference={difference} />
      {state === "open" && (
        <>
          <p>
            <strong>{t("admin.recon.nextStep")}</strong>
            <br />
            {t(`admin.recon.cause.${cause}.next`)}
          </p>
          {difference.transaction !== null && recheckableCauses.has(cause) && (
            <RecheckForm id={difference.id} />
          )}
          <Resolve id={difference.id} posted={posted} />
        </>
      )}
      <ClosedDifference difference={difference} />
    </li>
  );
}

/** Causes of a difference that another request to the provider may resolve. */
const recheckableCauses = new Set<DifferenceView["cause"]>(["missing_here", "duplicate", "by_hand"]);

function DifferenceSides({ difference }: { difference: DifferenceView }) {
  const t = useT();
  const { transaction, thereAmount, thereStatus, hereAmount, providerPaymentId } = difference;
  const sum = (amount: number | null) => (amount === null ? "–" : formatMoney(amount));
  const there = [thereAmount !== null && formatMoney(thereAmount), thereStatus !== "PAID" && thereStatus]
    .filter(Boolean)
    .join(" · ");
  return (
    <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-baseline gap-x-4 gap-y-1 tabular-nums">
      <dt className="text-quiet">{t("admin.recon.there")}</dt>
      <dd className="font-semibold wrap-anywhere">{there || "–"}</dd>
      <dt className="text-quiet">{t("admin.recon.here")}</dt>
      <dd className="font-semibold">{sum(hereAmount)}</dd>
      <dt className="text-quiet">{t("admin.recon.payment")}</dt>
      <dd className="font-mono text-sm wrap-anywhere">{providerPaymentId ?? "–"}</dd>
      <dt className="text-quiet">{t("admin.recon.trade")}</dt>
      <dd>
        {transaction === null ? (
          t("admin.recon.noTrade")
        ) : (
          <a
            href={paths.adminTransaction(transaction.id)}
            className="inline-flex min-h-11 items-center font-mono font-semibold text-brand underline underline-offset-4"
          >
            {transaction.code}
          </a>
        )}
      </dd>
      <dt className="text-quiet">{t("admin.recon.foundAt")}</dt>
      <dd>
        <Moment at={difference.foundAt} />
      </dd>
    </dl>
  );
}

function RecheckForm({ id }: { id: number }) {
  const t = useT();
  return (
    <PersonForm className="grid justify-items-start">
      <input type="hidden" name="form" value="ask" />
      <input type="hidden" name="difference" value={id} />
      <Button look="plain">{t("admin.recon.ask")}</Button>
    </PersonForm>
  );
}

function Resolve({ id, posted }: { id: number; posted: PostedForm | null }) {
  const t = useT();
  const name = `resolve-${id}`;
  const [form, fields] = usePostedForm(name, resolveDifferenceSchema, posted);
  return (
    <Disclosure id={`step-${name}`} summary={t("admin.recon.resolve")} open={posted?.form === name}>
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="resolve" />
        <input type="hidden" name="difference" value={id} />
        <FormErrors id={form.errorId} errors={form.errors} />
        <TextField label={t("admin.recon.note")} field={fields.note} />
        <Button>{t("admin.recon.resolve")}</Button>
      </PersonForm>
    </Disclosure>
  );
}

function ClosedDifference({
  difference: { state, closedAt, resolvedBy, note },
}: {
  difference: DifferenceView;
}) {
  const t = useT();
  const language = useLanguage();
  if (closedAt === null) return null;
  const at = formatLongMoment(closedAt, language);
  if (state === "vanished") return <p className="text-sm">{t("admin.recon.vanished", { at })}</p>;
  return (
    <div className="grid gap-1 border-l-4 border-line pl-3">
      <p className="text-sm text-quiet">{t("admin.recon.resolvedBy", { name: resolvedBy ?? "", at })}</p>
      <p className="whitespace-pre-wrap wrap-anywhere">{note}</p>
    </div>
  );
}
