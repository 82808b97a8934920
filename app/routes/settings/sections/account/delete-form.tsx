import { deleteAccountInput } from "#forms/identity";
import { paths } from "../../../../paths.ts";
import { Button, ButtonLink, TextLink } from "../../../../ui/forms/button.tsx";
import { Field } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { Notice } from "../../../../ui/layout/notice.tsx";
import { ProofFields } from "../sign-in/proof-fields.tsx";

/** What is deleted with an account and what is retained, and a link to download one's data first. */
export function DeleteWarning({ years }: { years: string }) {
  const t = useT();
  return (
    <Card>
      <p className="font-semibold">{t("settings.delete.lead")}</p>
      <h2 className="font-bold">{t("settings.delete.goes")}</h2>
      <ul className="grid list-disc gap-1 pl-5">
        <li>{t("settings.delete.goesName")}</li>
        <li>{t("settings.delete.goesEntry")}</li>
        <li>{t("settings.delete.goesDevices")}</li>
      </ul>
      <h2 className="font-bold">{t("settings.delete.stays")}</h2>
      <ul className="grid list-disc gap-1 pl-5">
        <li>{t("settings.delete.staysRecords", { years })}</li>
        <li>{t("settings.delete.staysBooks")}</li>
      </ul>
      <TextLink to={`${paths.settings}#data`}>{t("settings.delete.dataFirst")}</TextLink>
    </Card>
  );
}

/** Why an account cannot be deleted yet, with the rooms of trades that are not over or still hold money. */
export function OpenTradesNotice({ rooms }: { rooms: Array<{ id: number; code: string }> }) {
  const t = useT();
  return (
    <Notice tone="warn" title={t("settings.delete.held")}>
      <p>{t("settings.delete.heldWhy")}</p>
      <ul>
        {rooms.map(({ id, code }) => (
          <li key={id}>
            <TextLink to={paths.room(id)}>{code}</TextLink>
          </li>
        ))}
        <li>
          <TextLink to={paths.history}>{t("settings.delete.history")}</TextLink>
        </li>
      </ul>
    </Notice>
  );
}

/** The username typed again, the password, and a code if the second factor is on. */
export function DeleteForm(props: { username: string; withCode: boolean; posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("delete", deleteAccountInput, props.posted);
  return (
    <Card className="border-bad!" label={t("settings.delete.title")}>
      <PostForm name="delete" to={paths.settingsDelete} form={form}>
        <Field
          label={t("settings.delete.username", { username: props.username })}
          field={fields.confirmation}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <ProofFields fields={fields} withCode={props.withCode} />
        <div className="flex flex-wrap gap-2">
          <Button look="danger">{t("settings.delete.go")}</Button>
          <ButtonLink to={paths.settings}>{t("chat.cancel")}</ButtonLink>
        </div>
      </PostForm>
    </Card>
  );
}
