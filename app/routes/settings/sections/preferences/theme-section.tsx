import { paths } from "../../../../paths.ts";
import { ChoiceField } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { SaveButton } from "../../../../ui/forms/save-button.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { useVisit } from "../../../../ui/frame/visit.tsx";
import { SettingRow } from "../setting-row.tsx";
import { themeForm } from "../settings-forms.ts";

const themeOptions = ["light", "dark"] as const;

/** Light or dark, in this browser. */
export function ThemeSection({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  const { theme } = useVisit();
  const [form, fields] = usePostedForm("theme", themeForm, posted, { theme });
  return (
    <SettingRow id="theme" value={t(`settings.theme.${theme}`)} open={posted?.form === "theme"}>
      <PostForm name="theme" to={paths.settings} form={form}>
        <ChoiceField
          label={t("settings.theme.label")}
          field={fields.theme}
          options={themeOptions.map((value) => ({ value, label: t(`settings.theme.${value}`) }))}
        />
        <SaveButton what={t("settings.theme.title")} />
      </PostForm>
    </SettingRow>
  );
}
