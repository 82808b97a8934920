import { Flag } from "lucide";
import { fileReportSchema, reportHappened, tradeFieldLimits } from "#forms/escrow";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/forms/button.tsx";
import {
  ChoiceField,
  emailInputProps,
  Field,
  FormErrors,
  Select,
  TextField,
} from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { HoneypotField } from "../support/support-form.tsx";

/** The reported subject, from the form's address. */
interface ReportedShown {
  about: "person" | "message" | "code";
  roomId: number | null;
  personId: number | null;
  messageId: number | null;
  code: string | null;
  /** The person's latest messages, to choose from. */
  messages: Array<{ id: number; label: string }>;
}

interface Props {
  subject: ReportedShown;
  /** The reporter is not signed in and may leave an email address. */
  visitor: boolean;
  clientId: string;
  posted: PostedForm | null;
}

/** The form is posted to its own address, which still names the subject when the form comes back with errors. */
function addressOf({ about, roomId, personId, messageId, code }: ReportedShown): string {
  if (about === "code") return code === null ? paths.report : paths.reportCode(code);
  if (roomId === null) return paths.report;
  if (about === "message" && messageId !== null) return paths.reportMessage(roomId, messageId);
  return personId === null ? paths.report : paths.reportPerson(roomId, personId);
}

/** What happened, as a choice of kinds and in words. The form comes back filled in, with each error beside its field. */
export function ReportForm({ subject, visitor, clientId, posted }: Props) {
  const t = useT();
  const { messages, ...what } = subject;
  const [form, fields] = usePostedForm("report", fileReportSchema, posted, { ...what, clientId });
  const hidden = [fields.about, fields.roomId, fields.personId, fields.code, fields.clientId];
  return (
    <Card>
      <PersonForm action={addressOf(subject)} className="grid gap-4" noValidate>
        {hidden.map((field) => (
          <input key={field.name} type="hidden" name={field.name} value={String(field.initialValue ?? "")} />
        ))}
        <FormErrors id={form.errorId} errors={form.errors} />
        <ChoiceField
          label={t("report.happenedLabel")}
          field={fields.happened}
          stacked
          options={reportHappened.map((value) => ({ value, label: t(`report.happened.${value}`) }))}
        />
        {messages.length > 0 && (
          <Select
            label={t("report.which")}
            field={fields.messageId}
            options={[
              { value: "", label: t("report.whole") },
              ...messages.map(({ id, label }) => ({ value: String(id), label })),
            ]}
          />
        )}
        <TextField
          label={t("report.wordsLabel")}
          field={fields.words}
          rows={5}
          hint={t("report.wordsHint")}
          maxLength={tradeFieldLimits.reason}
        />
        {visitor && (
          <Field
            label={t("report.emailLabel")}
            field={fields.email}
            hint={t("report.emailHint")}
            {...emailInputProps}
          />
        )}
        <HoneypotField field={fields.website} />
        <div className="grid gap-1 text-sm text-quiet">
          <p>{t("report.holds")}</p>
          <p>{t("report.holdsUntil")}</p>
          <p>{t("report.holdsShown")}</p>
        </div>
        <Button className="justify-self-start">
          <Icon of={Flag} />
          {t("report.send")}
        </Button>
      </PersonForm>
    </Card>
  );
}
