import { paths } from "../../../../paths.ts";
import { Button, ButtonLink } from "../../../../ui/forms/button.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Card } from "../../../../ui/layout/card.tsx";

/** What new recovery codes do to the old ones, and the button that makes them. */
export function RenewCodesForm() {
  const t = useT();
  return (
    <Card>
      <p>{t("settings.codes.renewWhy")}</p>
      <PostForm name="renew" to={paths.settingsCodes} className="flex flex-wrap gap-2">
        <Button>{t("settings.codes.renew")}</Button>
        <ButtonLink to={`${paths.settings}#factor`}>{t("chat.cancel")}</ButtonLink>
      </PostForm>
    </Card>
  );
}
