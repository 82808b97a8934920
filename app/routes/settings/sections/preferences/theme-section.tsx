import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/forms/button.tsx";
import { ChoiceField } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { useVisit } from "../../../../ui/frame/visit.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { themeForm } from "../settings-forms.ts";

const themeOptions = ["light", "dark"] as const;

/** Light or dark, in this browser. */
export function ThemeSection({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("theme", themeForm, posted, { theme: useVisit().theme });
  return (
    <Card id="theme" title={t("settings.theme.title")}>
      <PostForm name="theme" to={paths.settings} form={form}>
        <ChoiceField
          label={t("settings.theme.label")}
          field={fields.theme}
          options={themeOptions.map((value) => ({ value, label: t(`settings.theme.${value}`) }))}
        />
        <Button look="plain" className="justify-self-start">
          {t("settings.save")}
        </Button>
      </PostForm>
    </Card>
  );
}
