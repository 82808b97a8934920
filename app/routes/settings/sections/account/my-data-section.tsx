import { Download } from "lucide";
import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/forms/button.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Icon } from "../../../../ui/layout/icon.tsx";
import { SettingRow } from "../setting-row.tsx";

/** Downloads all data stored about a person. */
export function MyDataSection() {
  const t = useT();
  return (
    <SettingRow id="data">
      <p>{t("settings.data.what")}</p>
      <p className="text-sm text-quiet">{t("settings.data.note")}</p>
      <PostForm name="data" to={paths.settingsData}>
        <Button look="plain" className="justify-self-start">
          <Icon of={Download} />
          {t("settings.data.download")}
        </Button>
      </PostForm>
    </SettingRow>
  );
}
