import { paths } from "../../../../paths.ts";
import { ButtonLink } from "../../../../ui/forms/button.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { SettingRow } from "../setting-row.tsx";

/** The link to the page that deletes an account. */
export function DeleteSection() {
  const t = useT();
  return (
    <SettingRow id="delete" tone="bad">
      <p className="text-quiet">{t("settings.delete.lead")}</p>
      <ButtonLink to={paths.settingsDelete} look="danger" className="justify-self-start">
        {t("settings.delete.open")}
      </ButtonLink>
    </SettingRow>
  );
}
