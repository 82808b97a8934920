import { notificationGroups, notificationsForm } from "#forms/identity";
import type { NotificationChoices } from "#views/identity";
import { paths } from "../../../../paths.ts";
import { CheckboxField } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { SaveButton } from "../../../../ui/forms/save-button.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { SettingRow } from "../setting-row.tsx";

/** Which emails are always sent, and which a person can turn off. */
export function NotificationsSection(props: { choices: NotificationChoices; posted: PostedForm | null }) {
  const t = useT();
  const ticked = Object.fromEntries(
    notificationGroups.map((group) => [group, props.choices[group] ? "on" : ""]),
  );
  const [form, fields] = usePostedForm("notifications", notificationsForm, props.posted, ticked);
  return (
    <SettingRow
      id="notifications"
      value={`${notificationGroups.filter((group) => props.choices[group]).length}/${notificationGroups.length}`}
      open={props.posted?.form === "notifications"}
    >
      <p className="text-quiet">{t("settings.notifications.always")}</p>
      <PostForm name="notifications" to={paths.settings} form={form}>
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-semibold">{t("settings.notifications.choose")}</legend>
          {notificationGroups.map((group) => (
            <CheckboxField
              key={group}
              label={t(`settings.notifications.${group}`)}
              field={fields[group]}
              hint={t(`settings.notifications.${group}Hint`)}
            />
          ))}
        </fieldset>
        <SaveButton what={t("settings.notifications.title")} />
      </PostForm>
    </SettingRow>
  );
}
