import { Download } from "lucide";
import { paths } from "../../paths.ts";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { useT } from "../i18n.tsx";
import { Icon } from "../icon.tsx";
import { PostForm } from "./post-form.tsx";

/** All that is kept about a person, to take away. */
export function MyDataSection() {
  const t = useT();
  return (
    <Card id="data" title={t("settings.data.title")}>
      <p>{t("settings.data.what")}</p>
      <p className="text-sm text-quiet">{t("settings.data.note")}</p>
      <PostForm name="data" to={paths.settingsData}>
        <Button look="plain" className="justify-self-start">
          <Icon of={Download} />
          {t("settings.data.download")}
        </Button>
      </PostForm>
    </Card>
  );
}
