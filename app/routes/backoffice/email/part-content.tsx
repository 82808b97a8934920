import { Field } from "../../../ui/forms/field.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import type { PartProps } from "./part-props.ts";

/** The texts of the button and of the footer, in each language. */
export function ContentPart({ fields }: PartProps) {
  const t = useT();
  const hint = t("admin.mail.emptyHint");
  return (
    <>
      <Field label={t("admin.mail.field.buttonTextMn")} field={fields.buttonTextMn} hint={hint} />
      <Field label={t("admin.mail.field.buttonTextEn")} field={fields.buttonTextEn} hint={hint} />
      <Field label={t("admin.mail.field.footerTextMn")} field={fields.footerTextMn} hint={hint} />
      <Field label={t("admin.mail.field.footerTextEn")} field={fields.footerTextEn} hint={hint} />
    </>
  );
}
