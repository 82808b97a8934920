import { Send } from "lucide";
import { askSupportSchema, supportTopics, tradeFieldLimits, visitorSupportSchema } from "#forms/escrow";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/forms/button.tsx";
import {
  emailInputProps,
  Field,
  type FieldState,
  FormErrors,
  Select,
  TextField,
} from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";

interface SupportFormProps {
  /** The signed-in person: their name and email cannot be changed in the form. */
  asker: { name: string; email: string } | null;
  /** Values from the page's address. */
  defaults: { topic: string; code: string; clientId: string };
  /** The person's own transactions, to choose from. */
  codes: Array<{ code: string; label: string }>;
  posted: PostedForm | null;
}

/** The form that contacts support. It comes back filled in, with each error beside its field. */
export function SupportForm({ asker, defaults, codes, posted }: SupportFormProps) {
  const t = useT();
  const schema = asker === null ? visitorSupportSchema : askSupportSchema;
  const [form, fields] = usePostedForm("support", schema, posted, defaults);
  const topics = supportTopics.map((topic) => ({
    value: topic as string,
    label: t(`support.topics.${topic}`),
  }));
  return (
    <Card title={t("support.write")} id="write">
      <PersonForm action={paths.support} className="grid gap-4" noValidate>
        <input type="hidden" name={fields.clientId.name} value={fields.clientId.initialValue ?? ""} />
        <FormErrors id={form.errorId} errors={form.errors} />
        <Select
          label={t("support.topic")}
          field={fields.topic}
          options={[{ value: "", label: t("support.choose") }, ...topics]}
        />
        <Field
          label={t("support.code")}
          field={fields.code}
          hint={t("support.codeHint")}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          list={codes.length > 0 ? "own-codes" : undefined}
        />
        <datalist id="own-codes">
          {codes.map(({ code, label }) => (
            <option key={code} value={code} label={label} />
          ))}
        </datalist>
        {asker === null ? <Visitor name={fields.name} email={fields.email} /> : <Member {...asker} />}
        <TextField
          label={t("support.message")}
          field={fields.message}
          rows={6}
          hint={t("support.messageHint", {
            min: tradeFieldLimits.supportMessageMin,
            max: tradeFieldLimits.message.toLocaleString("en-US"),
          })}
        />
        <HoneypotField field={fields.website} />
        <Button className="justify-self-start">
          <Icon of={Send} />
          {t("support.send")}
        </Button>
      </PersonForm>
    </Card>
  );
}

function Visitor({ name, email }: { name: FieldState; email: FieldState }) {
  const t = useT();
  return (
    <>
      <Field label={t("support.name")} field={name} autoComplete="name" maxLength={tradeFieldLimits.name} />
      <Field
        label={t("support.yourEmail")}
        field={email}
        hint={t("support.yourEmailHint")}
        {...emailInputProps}
      />
    </>
  );
}

/** A signed-in person's name and email, shown as text. */
function Member({ name, email }: { name: string; email: string }) {
  const t = useT();
  return (
    <dl className="grid gap-3 sm:grid-cols-2">
      {[
        { label: t("support.signedInAs"), value: name },
        { label: t("support.answerTo"), value: email },
      ].map(({ label, value }) => (
        <div key={label}>
          <dt className="text-sm text-quiet">{label}</dt>
          <dd className="font-semibold wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A field that people neither see nor reach; a bot that fills it in gives itself away. */
export function HoneypotField({ field }: { field: FieldState }) {
  const t = useT();
  return (
    <div aria-hidden="true" className="sr-only">
      <label htmlFor={field.id}>{t("support.empty")}</label>
      <input
        id={field.id}
        name={field.name}
        tabIndex={-1}
        autoComplete="off"
        defaultValue=""
        className="sr-only"
      />
    </div>
  );
}
