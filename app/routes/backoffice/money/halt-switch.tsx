import type { ReactNode } from "react";
import { formatLongMoment } from "#format";
import { confirmHaltSchema, confirmResumeSchema, haltWords } from "#forms/payments";
import type { TreasuryView } from "#views/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { Field, TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { AdminErrors } from "../form-errors.tsx";
import { Moment } from "../moment.tsx";

/** The state of the halt switch, since when, by whom and why; and the forms to turn it, which ask for a reason and a typed word. */
export function HaltSwitch({ halt, posted }: { halt: TreasuryView["halt"]; posted: PostedForm | null }) {
  const t = useT();
  const language = useLanguage();
  const { halted, reason, by, at, resume } = halt;
  const all: Array<[string, ReactNode]> = [
    [t("admin.moneyDesk.at"), at && <Moment key="at" at={at} />],
    [t("admin.moneyDesk.by"), by],
    [t("admin.moneyDesk.why"), reason],
  ];
  const facts = all.filter(([, value]) => value);
  return (
    <Card title={t("admin.moneyDesk.switch")}>
      {!halted && <Notice tone="good" title={t("admin.moneyDesk.running")} />}
      {facts.length > 0 && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-quiet">{label}</dt>
              <dd className="font-semibold wrap-anywhere whitespace-pre-wrap">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {resume !== null && (
        <Notice
          tone="warn"
          title={t(resume.own ? "admin.moneyDesk.resumeOwn" : "admin.moneyDesk.resumeBy", {
            name: resume.by,
            at: formatLongMoment(resume.at, language),
          })}
        >
          {resume.reason !== null && <p className="whitespace-pre-wrap">{resume.reason}</p>}
        </Notice>
      )}
      {halted ? <HaltForm to="resume" posted={posted} /> : <HaltForm to="halt" posted={posted} />}
      {resume !== null && <HaltForm to="halt" keeps posted={posted} />}
    </Card>
  );
}

/** `keeps`: money is halted, and the form ends a proposal to resume it. */
function HaltForm(props: { to: "halt" | "resume"; keeps?: boolean; posted: PostedForm | null }) {
  const { to, keeps = false, posted } = props;
  const t = useT();
  const language = useLanguage();
  const [form, fields] = usePostedForm(to, to === "halt" ? confirmHaltSchema : confirmResumeSchema, posted);
  const label = t(keeps ? "admin.moneyDesk.keepHalted" : `admin.moneyDesk.${to}`);
  const word = haltWords[to === "halt" ? "on" : "off"][language];
  return (
    <Disclosure
      id={`turn-${to}`}
      summary={label}
      look={to === "halt" ? "danger" : "plain"}
      open={posted?.form === to}
    >
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value={to} />
        <p>{t(keeps ? "admin.moneyDesk.keepHaltedAsk" : `admin.moneyDesk.${to}Ask`)}</p>
        <AdminErrors id={form.errorId} errors={form.errors} />
        <TextField label={t("admin.moneyDesk.reason")} field={fields.reason} />
        <Field
          label={t("admin.moneyDesk.word", { word })}
          field={fields.word}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <Button look={to === "halt" ? "danger" : "primary"}>{label}</Button>
      </PersonForm>
    </Disclosure>
  );
}
