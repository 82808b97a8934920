import { formatLongMoment, formatMoney } from "#format";
import { resolveHoldSchema } from "#forms/payments";
import type { HoldView } from "#views/escrow";
import { paths } from "../../../../paths.ts";
import { Button, SpokenContext, TextLink } from "../../../../ui/forms/button.tsx";
import { ChoiceField, TextField } from "../../../../ui/forms/field.tsx";
import { PersonForm } from "../../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useLanguage, useT, useText } from "../../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../../ui/layout/disclosure.tsx";
import { FactList } from "../../../../ui/layout/fact-list.tsx";
import { Notice } from "../../../../ui/layout/notice.tsx";
import { AdminErrors } from "../../form-errors.tsx";
import { Moment } from "../../moment.tsx";

/** One reason of a hold: all its facts, and how it is or was resolved. */
export function HoldItem({
  hold,
  posted,
  readOnly,
}: {
  hold: HoldView;
  posted: PostedForm | null;
  readOnly: boolean;
}) {
  const t = useT();
  const language = useLanguage();
  const text = useText();
  const { closed, openedBy } = hold;
  return (
    <li
      data-row
      data-hold={hold.reason}
      className="grid content-start gap-3 rounded-control border border-line p-4"
    >
      <h3 className="font-bold first-letter:uppercase">{text(`admin.hold.reason.${hold.reason}`)}</h3>
      <p className="flex flex-wrap gap-x-4 text-sm text-quiet">
        <time dateTime={hold.openedAt} className="whitespace-normal">
          {t("admin.hold.since", { at: formatLongMoment(hold.openedAt, language) })}
        </time>
        {openedBy !== null && <span>{t("admin.hold.reportedBy", { name: openedBy })}</span>}
      </p>
      <HoldFacts hold={hold} />
      {closed === null ? (
        <OpenHold hold={hold} posted={posted} readOnly={readOnly} />
      ) : (
        <ClosedHold closed={closed} />
      )}
    </li>
  );
}

function HoldFacts({ hold: { facts, other } }: { hold: HoldView }) {
  const t = useT();
  const { amount, currency, billed, bookedAmount, paidAt, row, note } = facts;
  const rows = [
    ["providerPaymentId", facts.providerPaymentId],
    ["amount", amount === undefined ? undefined : [amount, currency].filter(Boolean).join(" ")],
    ["status", facts.status],
    ["paidAt", paidAt && <Moment key="paidAt" at={paidAt} />],
    ["payerBank", facts.payerBank],
    ["wallet", facts.wallet],
    ["billed", billed === undefined ? undefined : formatMoney(billed)],
    ["bookedAmount", bookedAmount === undefined ? undefined : formatMoney(bookedAmount)],
    ["namesInvoice", facts.namesInvoice],
    ["other", other && <TextLink to={paths.adminHolds(other.id)}>{other.code}</TextLink>],
  ] as const;
  const known = rows.flatMap(([name, value]) =>
    value ? [{ label: t(`admin.hold.fact.${name}`), value }] : [],
  );
  return (
    <>
      {known.length > 0 && <FactList rows={known} />}
      {note && <p className="border-l-4 border-line pl-3 whitespace-pre-wrap wrap-anywhere">{note}</p>}
      {row !== undefined && row !== null && (
        <details>
          <summary className="min-h-11 cursor-pointer py-2 font-semibold text-brand">
            {t("admin.hold.fact.row")}
          </summary>
          <pre className="overflow-x-auto rounded-control bg-sunk p-3 text-sm">
            {JSON.stringify(row, null, 2)}
          </pre>
        </details>
      )}
    </>
  );
}

function OpenHold(props: { hold: HoldView; posted: PostedForm | null; readOnly: boolean }) {
  const t = useT();
  const language = useLanguage();
  const { hold, posted, readOnly } = props;
  const { facts, proposal } = hold;
  if (hold.reason === "TRANSFER_IN_DOUBT") {
    return (
      <>
        <p>{t("admin.hold.withTransfer")}</p>
        {facts.payoutId !== undefined && (
          <TextLink to={paths.adminPayout(facts.payoutId)}>
            {t("admin.hold.toPayout")}
            <SpokenContext of={formatLongMoment(hold.openedAt, language)} />
          </TextLink>
        )}
      </>
    );
  }
  const { day } = facts;
  return (
    <>
      {day !== undefined && (
        <>
          {!hold.resolutions.some(({ twoPeople }) => twoPeople) && <p>{t("admin.hold.withDifference")}</p>}
          <TextLink to={paths.adminReconciliationOf(day)}>{t("admin.hold.toDifference", { day })}</TextLink>
        </>
      )}
      {hold.clearsItself && <p>{t("admin.hold.clears")}</p>}
      {proposal !== null && <HoldProposed proposal={proposal} />}
      {!readOnly && proposal?.obstacle !== "FOUR_EYES_RELATED" && <ResolveHold hold={hold} posted={posted} />}
    </>
  );
}

function HoldProposed({ proposal }: { proposal: NonNullable<HoldView["proposal"]> }) {
  const t = useT();
  const { by, outcome, own, note, obstacle } = proposal;
  const next = own
    ? "admin.hold.yours"
    : obstacle === null
      ? "admin.hold.confirmHint"
      : (`errors.${obstacle}` as const);
  return (
    <Notice
      tone={own ? "info" : "warn"}
      title={t("admin.hold.proposedBy", { name: by, outcome: t(`admin.hold.outcome.${outcome}`) })}
    >
      <p className="whitespace-pre-wrap">{note}</p>
      <p>{t(next)}</p>
    </Notice>
  );
}

function ResolveHold({ hold, posted }: { hold: HoldView; posted: PostedForm | null }) {
  const t = useT();
  const text = useText();
  const language = useLanguage();
  const name = `hold-${hold.id}`;
  const [form, fields] = usePostedForm(name, resolveHoldSchema, posted);
  const reason = `${text(`admin.hold.reason.${hold.reason}`)}, ${formatLongMoment(hold.openedAt, language)}`;
  const summary = (
    <>
      {t("admin.hold.resolve")}
      <SpokenContext of={reason} />
    </>
  );
  const options = hold.resolutions.map(({ outcome, twoPeople }) => ({
    value: outcome,
    label: `${t(`admin.hold.outcome.${outcome}`)}${twoPeople ? ` (${t("admin.hold.twoPeople")})` : ""}`,
  }));
  return (
    <Disclosure id={`step-${name}`} summary={summary} open={posted?.form === name}>
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="resolve" />
        <input type="hidden" name="hold" value={hold.id} />
        <AdminErrors id={form.errorId} errors={form.errors} />
        <ChoiceField label={t("admin.hold.outcomeLabel")} field={fields.outcome} options={options} stacked />
        <TextField label={t("admin.hold.noteLabel")} field={fields.note} />
        <Button>
          {t("admin.hold.done")}
          <SpokenContext of={reason} />
        </Button>
      </PersonForm>
    </Disclosure>
  );
}

function ClosedHold({ closed: { at, outcome, by, note } }: { closed: NonNullable<HoldView["closed"]> }) {
  const t = useT();
  const language = useLanguage();
  return (
    <div className="grid gap-1 border-l-4 border-line pl-3">
      <p className="font-semibold">{t(`admin.hold.outcome.${outcome}`)}</p>
      <p className="text-sm text-quiet">
        {by === null
          ? formatLongMoment(at, language)
          : t("admin.hold.closedBy", { name: by, at: formatLongMoment(at, language) })}
      </p>
      {note && <p className="whitespace-pre-wrap wrap-anywhere">{note}</p>}
    </div>
  );
}
