import { config } from "#config";
import type { Language } from "#locales";
import { compiled } from "./handlebars.ts";
import { shown } from "./shown.ts";
import { type TemplateName, templates } from "./templates.ts";
import { localText } from "./text.ts";

export type Rendered = { subject: string; html: string; text: string };

/**
 * Renders a mail in one language. Every value is escaped in the HTML; a template, text or value that is missing
 * throws.
 */
export function render(
  template: TemplateName,
  language: Language,
  data: Record<string, string | number>,
): Rendered {
  const values = shown(templates[template].parse(data), language);
  const subject = localText(language, `mail.${template}.subject`, values);
  const root = { ...values, template, language, subject, support: config().SUPPORT_EMAIL };
  const { html, text } = compiled(template);
  return {
    subject,
    html: html(root),
    text: `${text(root)
      .replace(/\n{3,}/g, "\n\n")
      .trim()}\n`,
  };
}
