import type { Language } from "#locales";
import type { Customizations } from "./customizations.ts";

/** The customised texts that replace Midman's own, by catalogue key; an empty one is left out. */
export function customTexts(
  template: string,
  language: Language,
  given: Customizations,
): Record<string, string> {
  const { subjectMn, subjectEn, footerTextMn, footerTextEn, buttonTextMn, buttonTextEn } = given;
  const [subject, footer, button] =
    language === "mn" ? [subjectMn, footerTextMn, buttonTextMn] : [subjectEn, footerTextEn, buttonTextEn];
  const all = {
    [`mail.${template}.subject`]: subject,
    [`mail.${template}.button`]: button,
    // The button of a mail about a trade, which by itself names the page that it opens.
    "mail.common.open.room": button,
    "mail.common.open.page": button,
    "mail.common.brand": given.brandName,
    "mail.common.footer": footer,
  };
  return Object.fromEntries(Object.entries(all).filter(([, words]) => words !== ""));
}
