import { customizationsOf } from "#forms/mailer";
import type { EmailTemplate } from "#views/identity";
import { Button } from "../../../ui/forms/button.tsx";
import { FormErrors } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { AdvancedPart } from "./part-advanced.tsx";
import { BasicPart } from "./part-basic.tsx";
import { ColorsPart } from "./part-colors.tsx";
import { ContentPart } from "./part-content.tsx";

/** A browser that cannot ask which tab is chosen shows every part. */
const withoutHas = "not-supports-[selector(:has(*))]:grid";

const editorParts = {
  basic: { part: BasicPart, shown: `group-has-[#part-basic:checked]/editor:grid ${withoutHas}` },
  colors: { part: ColorsPart, shown: `group-has-[#part-colors:checked]/editor:grid ${withoutHas}` },
  content: { part: ContentPart, shown: `group-has-[#part-content:checked]/editor:grid ${withoutHas}` },
  advanced: { part: AdvancedPart, shown: `group-has-[#part-advanced:checked]/editor:grid ${withoutHas}` },
} as const;
type PartName = keyof typeof editorParts;
const partNames = Object.keys(editorParts) as PartName[];

/** The part that a field belongs to; fields not listed are in the first part. */
const partOfField: Record<string, PartName> = {
  ...{ primaryColor: "colors", buttonColor: "colors", backgroundColor: "colors" },
  ...{ textColor: "colors", headerColor: "colors", customCss: "advanced" },
  ...{ buttonTextMn: "content", buttonTextEn: "content", footerTextMn: "content", footerTextEn: "content" },
};

/**
 * The editor of an email template's look: one form in four parts, of which one is shown, without script. It opens on the part with the
 * first error, or on the colours after a preset.
 */
export function MailEditor({ template, posted }: { template: EmailTemplate; posted: PostedForm | null }) {
  const t = useT();
  const { name, customizations, version } = template;
  const [form, fields] = usePostedForm("look", customizationsOf(name), posted, customizations);
  const own = posted?.form === "look" ? posted.result : null;
  const wrong = Object.keys(own?.error ?? {}).find((field) => field !== "");
  const open: PartName = wrong === undefined ? (own ? "colors" : "basic") : (partOfField[wrong] ?? "basic");
  return (
    <PersonForm
      id={form.id}
      noValidate
      className="group/editor grid content-start gap-4 rounded-card border border-line bg-card p-4 sm:p-6"
    >
      <input type="hidden" name="form" value="look" />
      <input type="hidden" name="version" value={version} />
      <FormErrors id={form.errorId} errors={form.errors} />
      <div className="flex flex-wrap items-center gap-3">
        <Button>{t("admin.mail.save")}</Button>
        <p className="text-sm text-quiet">{t("admin.mail.saveHint")}</p>
      </div>
      <fieldset>
        <legend className="sr-only">{t("admin.mail.parts.label")}</legend>
        <div className="flex flex-wrap gap-1 rounded-control bg-sunk p-1">
          {partNames.map((part) => (
            <label
              key={part}
              className="inline-flex min-h-11 flex-1 cursor-pointer items-center justify-center rounded-lg px-3 font-semibold text-quiet has-checked:bg-card has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-brand dark:has-checked:bg-brand-soft"
            >
              <input
                type="radio"
                name="part"
                id={`part-${part}`}
                value={part}
                defaultChecked={part === open}
                className="sr-only"
              />
              {t(`admin.mail.parts.${part}`)}
            </label>
          ))}
        </div>
      </fieldset>
      {partNames.map((one) => {
        const { part: Part, shown } = editorParts[one];
        return (
          <section key={one} aria-label={t(`admin.mail.parts.${one}`)} className={`hidden gap-4 ${shown}`}>
            <Part fields={fields} template={template} />
          </section>
        );
      })}
    </PersonForm>
  );
}
