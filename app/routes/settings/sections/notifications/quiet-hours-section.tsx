import { notificationPreferencesForm } from "#forms/identity";
import type { NotificationPreferences } from "#views/identity";
import { paths } from "../../../../paths.ts";
import { CheckboxField, Field } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { SaveButton } from "../../../../ui/forms/save-button.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { SettingRow } from "../setting-row.tsx";

/** How a person is notified of unread messages, and the quiet hours, in which only notifications about money and disputes make a sound. */
export function QuietSection({
  notificationPreferences,
  posted,
}: {
  notificationPreferences: NotificationPreferences;
  posted: PostedForm | null;
}) {
  const t = useT();
  const { quietFrom, quietTo } = notificationPreferences;
  const [form, fields] = usePostedForm("quiet", notificationPreferencesForm, posted, {
    pushMessages: notificationPreferences.pushMessages ? "on" : "",
    mailMessages: notificationPreferences.mailMessages ? "on" : "",
    quietFrom: quietFrom ?? "",
    quietTo: quietTo ?? "",
  });
  return (
    <SettingRow
      id="quiet"
      value={quietFrom && quietTo ? `${quietFrom}–${quietTo}` : t("settings.state.off")}
      open={posted?.form === "quiet"}
    >
      <PostForm name="quiet" to={paths.settings} form={form}>
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-semibold">{t("settings.quiet.messages")}</legend>
          <CheckboxField
            label={t("settings.quiet.push")}
            field={fields.pushMessages}
            hint={t("settings.quiet.pushHint")}
          />
          <CheckboxField
            label={t("settings.quiet.mail")}
            field={fields.mailMessages}
            hint={t("settings.quiet.mailHint")}
          />
        </fieldset>
        <fieldset className="grid gap-3">
          <legend className="mb-1 font-semibold">{t("settings.quiet.hours")}</legend>
          <p className="text-sm text-quiet">{t("settings.quiet.hoursHint")}</p>
          <div className="grid max-w-sm grid-cols-2 gap-3">
            <Field type="time" label={t("settings.quiet.from")} field={fields.quietFrom} />
            <Field type="time" label={t("settings.quiet.to")} field={fields.quietTo} />
          </div>
        </fieldset>
        <SaveButton what={t("settings.quiet.title")} />
      </PostForm>
    </SettingRow>
  );
}
