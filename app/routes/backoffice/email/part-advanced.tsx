import { Button } from "../../../ui/forms/button.tsx";
import { CopyButton } from "../../../ui/forms/copyable-value.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import type { PartProps } from "./part-props.ts";

const cssHelp = {
  example: "p { color: navy; }",
  parts:
    "h1, p, a, td, span, .mail-card, .mail-brand, .mail-heading, .mail-body, .mail-button, .mail-note, .mail-fact, .mail-footer",
};

/** Custom CSS, the variables that a text may use, sample data, and the reset to the original look. */
export function AdvancedPart({ fields, template }: PartProps) {
  const t = useT();
  const sample = JSON.stringify(template.defaultParams, null, 2);
  return (
    <>
      <TextField
        label={t("admin.mail.field.customCss")}
        field={fields.customCss}
        hint={t("admin.mail.cssHint", cssHelp)}
        rows={6}
        spellCheck={false}
      />
      <div className="grid gap-2">
        <h3 className="font-semibold">{t("admin.mail.variables")}</h3>
        <ul className="grid gap-2">
          {template.variables.map((name) => {
            const placeholder = `{{${name}}}`;
            return (
              <li key={name} className="flex flex-wrap items-center gap-2">
                <code className="rounded-control bg-sunk px-3 py-2 font-mono">{placeholder}</code>
                <CopyButton value={placeholder} label={t("chat.copy")} />
              </li>
            );
          })}
        </ul>
      </div>
      <div className="grid gap-2">
        <h3 className="font-semibold">{t("admin.mail.sample")}</h3>
        <pre className="rounded-control bg-sunk p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
          {sample}
        </pre>
        <CopyButton value={sample} label={t("admin.mail.copySample")} />
      </div>
      <div className="grid justify-items-start gap-2">
        <Button name="preset" value="reset" look="danger" formNoValidate>
          {t("admin.mail.reset")}
        </Button>
        <p className="text-sm text-quiet">{t("admin.mail.resetHint")}</p>
      </div>
    </>
  );
}
