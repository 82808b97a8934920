import { config } from "#config";
import type { Language } from "#locales";
import { customTexts } from "../look/custom-texts.ts";
import { type Customizations, defaultCustomizations } from "../look/customizations.ts";
import { lookOf } from "../look/mail-look.ts";
import { getCompiledTemplate } from "./compile-templates.ts";
import { derivedValues } from "./derived-values.ts";
import { localText } from "./local-text.ts";
import { shownValues } from "./shown-values.ts";
import { type TemplateName, templateSchemas } from "./templates.ts";

export type RenderedMail = { subject: string; html: string; text: string };

/**
 * Renders a mail in one language. Every value is escaped in the HTML; a missing template, text or value throws. `dress` is the customised
 * look and texts.
 */
export function renderMail(
  template: TemplateName,
  language: Language,
  data: Record<string, string | number>,
  dress: Customizations = defaultCustomizations,
): RenderedMail {
  const parsed = templateSchemas[template].parse(data);
  const values = shownValues({ ...parsed, ...derivedValues(template, parsed, language) }, language);
  const own = customTexts(template, language, dress);
  const subject = localText(language, `mail.${template}.subject`, values, own);
  const support = config().SUPPORT_EMAIL;
  const root = { ...values, template, language, subject, support, look: lookOf(dress), own };
  const { html, text } = getCompiledTemplate(template);
  return {
    subject,
    html: html(root),
    text: `${text(root)
      .replace(/\n{3,}/g, "\n\n")
      .trim()}\n`,
  };
}
