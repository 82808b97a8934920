import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/forms/button.tsx";
import { ChoiceField } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { languageForm } from "../settings-forms.ts";

const languageOptions = ["mn", "en"] as const;

/** The language of pages and emails; each is named in its own language. */
export function LanguageSection({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("language", languageForm, posted, { language: useLanguage() });
  return (
    <Card id="language" title={t("settings.language.title")}>
      <PostForm name="language" to={paths.settings} form={form}>
        <ChoiceField
          label={t("settings.language.label")}
          field={fields.language}
          options={languageOptions.map((value) => ({ value, label: t(`languages.${value}`) }))}
        />
        <Button look="plain" className="justify-self-start">
          {t("settings.save")}
        </Button>
      </PostForm>
    </Card>
  );
}
