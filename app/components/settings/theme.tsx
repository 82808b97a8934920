import { paths } from "../../paths.ts";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Choices } from "../field.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";
import { useVisit } from "../visit.tsx";
import { themeForm } from "./forms.ts";
import { PostForm } from "./post-form.tsx";

const themes = ["light", "dark"] as const;

/** Light or dark, in this browser. */
export function ThemeSection({ posted }: { posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("theme", themeForm, posted, { theme: useVisit().theme });
  return (
    <Card id="theme" title={t("settings.theme.title")}>
      <PostForm name="theme" to={paths.settings} form={form}>
        <Choices
          label={t("settings.theme.label")}
          field={fields.theme}
          options={themes.map((value) => ({ value, label: t(`settings.theme.${value}`) }))}
        />
        <Button look="plain" className="justify-self-start">
          {t("settings.save")}
        </Button>
      </PostForm>
    </Card>
  );
}
