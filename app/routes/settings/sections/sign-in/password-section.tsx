import { changePasswordForm } from "#forms/identity";
import { paths } from "../../../../paths.ts";
import { PasswordField } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { NewPassword } from "../../../auth/new-password.tsx";
import { CodeField } from "../second-factor/code-field.tsx";
import { SettingRow } from "../setting-row.tsx";

/** Changes the password; asks for the current one and, if the second factor is on, a code. */
export function PasswordSection(props: {
  username: string;
  isAdmin: boolean;
  withCode: boolean;
  posted: PostedForm | null;
}) {
  const t = useT();
  const [form, fields] = usePostedForm("password", changePasswordForm, props.posted);
  return (
    <SettingRow id="password" open={props.posted?.form === "password"}>
      <p className="text-quiet">{t("settings.password.lead")}</p>
      <PostForm name="password" to={paths.settings} form={form}>
        <input type="hidden" name="username" value={props.username} autoComplete="username" />
        <PasswordField
          label={t("auth.currentPassword")}
          field={fields.currentPassword}
          autoComplete="current-password"
          required
        />
        {props.withCode && (
          <CodeField label={t("auth.code.label")} field={fields.code} hint={t("settings.factor.codeHint")} />
        )}
        <NewPassword fields={fields} isAdmin={props.isAdmin} />
      </PostForm>
    </SettingRow>
  );
}
