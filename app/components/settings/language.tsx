import { paths } from "../../paths.ts";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Choices } from "../field.tsx";
import { useLanguage, useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";
import { languageForm } from "./forms.ts";
import { PostForm } from "./post-form.tsx";

const languages = ["mn", "en"] as const;

/** The language of pages and mails; each names itself in itself. */
export function LanguageSection({ posted }: { posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("language", languageForm, posted, { language: useLanguage() });
  return (
    <Card id="language" title={t("settings.language.title")}>
      <PostForm name="language" to={paths.settings} form={form}>
        <Choices
          label={t("settings.language.label")}
          field={fields.language}
          options={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
        />
        <Button look="plain" className="justify-self-start">
          {t("settings.save")}
        </Button>
      </PostForm>
    </Card>
  );
}
