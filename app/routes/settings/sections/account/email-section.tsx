import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/forms/button.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Badge } from "../../../../ui/layout/badge.tsx";
import { Notice } from "../../../../ui/layout/notice.tsx";
import { SettingRow } from "../setting-row.tsx";
import { pressForm } from "../settings-forms.ts";

/** The email address, whether it is confirmed, and a button that sends the link again. */
export function EmailSection(props: { email: string; confirmed: boolean; posted: PostedForm | null }) {
  const t = useT();
  const [form] = usePostedForm("verification", pressForm, props.posted);
  return (
    <SettingRow
      id="email"
      value={props.confirmed ? props.email : <EmailStatusBadge confirmed={false} />}
      open={props.posted?.form === "verification"}
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="font-semibold wrap-anywhere">{props.email}</span>
        <EmailStatusBadge confirmed={props.confirmed} />
      </p>
      {!props.confirmed && (
        <>
          <Notice tone="warn">
            <p>{t("settings.email.confirm")}</p>
          </Notice>
          <PostForm name="verification" to={paths.settings} form={form}>
            <Button look="plain" className="justify-self-start">
              {t("settings.email.resend")}
            </Button>
          </PostForm>
        </>
      )}
    </SettingRow>
  );
}

/** Whether an email address is confirmed, as a badge. */
export function EmailStatusBadge({ confirmed }: { confirmed: boolean }) {
  const t = useT();
  return (
    <Badge tone={confirmed ? "good" : "warn"}>
      {t(confirmed ? "profile.confirmed" : "profile.unconfirmed")}
    </Badge>
  );
}
