import { paths } from "../../../../paths.ts";
import { ChoiceField } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { SaveButton } from "../../../../ui/forms/save-button.tsx";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { SettingRow } from "../setting-row.tsx";
import { languageForm } from "../settings-forms.ts";

const languageOptions = ["mn", "en"] as const;

/** The language of pages and emails; each is named in its own language. */
export function LanguageSection({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  const language = useLanguage();
  const [form, fields] = usePostedForm("language", languageForm, posted, { language });
  return (
    <SettingRow id="language" value={t(`languages.${language}`)} open={posted?.form === "language"}>
      <PostForm name="language" to={paths.settings} form={form}>
        <ChoiceField
          label={t("settings.language.label")}
          field={fields.language}
          options={languageOptions.map((value) => ({ value, label: t(`languages.${value}`) }))}
        />
        <SaveButton what={t("settings.language.title")} />
      </PostForm>
    </SettingRow>
  );
}
