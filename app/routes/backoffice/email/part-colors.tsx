import { colorPresets } from "#forms/mailer";
import { Button } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import type { PartProps } from "./part-props.ts";

const colorFields = ["primaryColor", "buttonColor", "backgroundColor", "textColor", "headerColor"] as const;

/** Five colours, and presets to start from. */
export function ColorsPart({ fields }: PartProps) {
  const t = useT();
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-semibold">{t("admin.mail.presets.label")}</legend>
        <div className="flex flex-wrap gap-2">
          {(Object.keys(colorPresets) as Array<keyof typeof colorPresets>).map((preset) => (
            <Button key={preset} name="preset" value={preset} look="plain" formNoValidate>
              {t(`admin.mail.presets.${preset}`)}
            </Button>
          ))}
        </div>
        <p className="text-sm text-quiet">{t("admin.mail.presets.hint")}</p>
      </fieldset>
      {colorFields.map((name) => (
        <Field
          key={name}
          label={t(`admin.mail.field.${name}`)}
          field={fields[name]}
          type="color"
          className="h-11 w-24 cursor-pointer rounded-control border border-edge bg-card p-1"
        />
      ))}
    </>
  );
}
