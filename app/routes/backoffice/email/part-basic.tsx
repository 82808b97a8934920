import { layoutNames } from "#forms/mailer";
import { ChoiceField, Field } from "../../../ui/forms/field.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import type { PartProps } from "./part-props.ts";
import { Slider } from "./slider.tsx";

/** Layout, subject, brand and sizes. */
export function BasicPart({ fields }: PartProps) {
  const t = useT();
  return (
    <>
      <ChoiceField
        label={t("admin.mail.field.layout")}
        field={fields.layout}
        options={layoutNames.map((value) => ({ value, label: t(`admin.mail.layouts.${value}`) }))}
      />
      <Field
        label={t("admin.mail.field.subjectMn")}
        field={fields.subjectMn}
        hint={t("admin.mail.emptyHint")}
      />
      <Field
        label={t("admin.mail.field.subjectEn")}
        field={fields.subjectEn}
        hint={t("admin.mail.emptyHint")}
      />
      <Field
        label={t("admin.mail.field.brandName")}
        field={fields.brandName}
        hint={t("admin.mail.emptyHint")}
      />
      <Field
        label={t("admin.mail.field.logoUrl")}
        field={fields.logoUrl}
        hint={t("admin.mail.logoHint")}
        type="url"
        inputMode="url"
      />
      <Slider
        label={t("admin.mail.field.borderRadius")}
        field={fields.borderRadius}
        min={0}
        max={20}
        step={1}
        unit="px"
      />
      <Slider
        label={t("admin.mail.field.fontSize")}
        field={fields.fontSize}
        min={12}
        max={20}
        step={1}
        unit="px"
      />
      <Slider
        label={t("admin.mail.field.lineHeight")}
        field={fields.lineHeight}
        min={1.2}
        max={2}
        step={0.1}
        unit=""
      />
    </>
  );
}
