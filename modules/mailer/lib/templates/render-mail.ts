import { config } from "#config";
import type { Language } from "#locales";
import { type Customizations, standard } from "../look/customizations.ts";
import { lookOf } from "../look/look.ts";
import { ownWords } from "../look/own-words.ts";
import { compiled } from "./compile-templates.ts";
import { derivedValues } from "./derived-values.ts";
import { localText } from "./local-text.ts";
import { shownValues } from "./shown-values.ts";
import { type TemplateName, templates } from "./templates.ts";

export type Rendered = { subject: string; html: string; text: string };

/**
 * Renders a mail in one language. Every value is escaped in the HTML; a template, text or value that is missing
 * throws. `dress` is how administrators want it to look, and which words of ours it says otherwise.
 */
export function renderMail(
  template: TemplateName,
  language: Language,
  data: Record<string, string | number>,
  dress: Customizations = standard,
): Rendered {
  const parsed = templates[template].parse(data);
  const values = shownValues({ ...parsed, ...derivedValues(template, parsed) }, language);
  const own = ownWords(template, language, dress);
  const subject = localText(language, `mail.${template}.subject`, values, own);
  const support = config().SUPPORT_EMAIL;
  const root = { ...values, template, language, subject, support, look: lookOf(dress), own };
  const { html, text } = compiled(template);
  return {
    subject,
    html: html(root),
    text: `${text(root)
      .replace(/\n{3,}/g, "\n\n")
      .trim()}\n`,
  };
}
