import { testMailInput } from "#forms/mailer";
import { Button } from "../../../ui/forms/button.tsx";
import { emailInputProps, Field, FormErrors } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";

/** Sends one email to an address that the administrator enters; `languages` if they can choose the language. */
export function TestMail(props: {
  title: string;
  hint: string;
  posted: PostedForm | null;
  languages?: boolean;
}) {
  const t = useT();
  const own = useLanguage();
  const [form, fields] = usePostedForm("test", testMailInput, props.posted);
  return (
    <Card title={props.title}>
      <p className="text-quiet">{props.hint}</p>
      <PersonForm id={form.id} noValidate className="grid gap-4">
        <input type="hidden" name="form" value="test" />
        <FormErrors id={form.errorId} errors={form.errors} />
        <Field
          label={t("admin.mail.to")}
          field={fields.testEmail}
          {...emailInputProps}
          autoComplete="off"
          required
        />
        {props.languages ? (
          <span className="flex flex-wrap gap-3">
            {(own === "mn" ? (["mn", "en"] as const) : (["en", "mn"] as const)).map((language) => (
              <Button key={language} name="language" value={language} look="plain">
                {t(`admin.mail.send.${language}`)}
              </Button>
            ))}
          </span>
        ) : (
          <Button className="justify-self-start">{t("admin.mail.send.test")}</Button>
        )}
      </PersonForm>
    </Card>
  );
}
