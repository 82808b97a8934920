import { ensureReadable, isLight, mixColors, textColorOn } from "./colors.ts";
import { readCustomCss } from "./custom-css.ts";
import type { Customizations } from "./customizations.ts";

/** The values of a mail's look that the partials use, by name: `{{look "card"}}`. Every value is safe in an attribute and in a style. */
export type MailLook = Record<
  | (
      | "page"
      | "card"
      | "edge"
      | "ink"
      | "heading"
      | "quiet"
      | "primary"
      | "onPrimary"
      | "brandInk"
      | "button"
      | "onButton"
    )
  | ("radius" | "size" | "small" | "lineHeight" | "font" | "headFont" | "scheme" | "styles" | "logoUrl"),
  string
> & { layout: Customizations["layout"] };

const sansFont = "Arial,Helvetica,sans-serif";
const serifFont = "Georgia,Times,serif";

/**
 * Computes a mail's look from its customisations. What they leave open (borders, secondary text, text on buttons) follows from their
 * colours.
 */
export function lookOf(given: Customizations): MailLook {
  const { backgroundColor: card, textColor: ink, primaryColor: primary, buttonColor: button } = given;
  const bare = given.layout === "minimal";
  const light = isLight(card);
  return {
    layout: given.layout,
    page: bare ? card : mixColors(card, ink, 0.05),
    card,
    edge: mixColors(card, ink, 0.15),
    ink,
    heading: given.headerColor,
    quiet: ensureReadable(mixColors(ink, card, 0.3), card),
    primary,
    onPrimary: textColorOn(primary),
    brandInk: ensureReadable(primary, card),
    button,
    onButton: textColorOn(button),
    radius: `${given.borderRadius}px`,
    size: `${given.fontSize}px`,
    small: `${Math.max(12, given.fontSize - 3)}px`,
    lineHeight: String(given.lineHeight),
    font: sansFont,
    headFont: given.layout === "classic" ? serifFont : sansFont,
    scheme: light ? "light dark" : "dark",
    styles: [light ? darkModeCss(primary, bare) : "", safeCss(given.customCss)].filter(Boolean).join("\n"),
    logoUrl: given.logoUrl,
  };
}

/** Rules for dark mode, for mail programs that support it. A mail that is already dark gets none. */
function darkModeCss(primary: string, bare: boolean): string {
  const [page, card, edge] = bare ? ["#111827", "#111827", "#374151"] : ["#0b0f17", "#111827", "#374151"];
  const rules = [
    `.mail { background-color: ${page} !important }`,
    `.mail .mail-card { background-color: ${card} !important; border-color: ${edge} !important }`,
    ".mail .mail-heading { color: #f9fafb !important }",
    ".mail .mail-body, .mail .mail-strong { color: #e5e7eb !important }",
    `.mail .mail-brand { color: ${ensureReadable(primary, card)} !important }`,
    `.mail .mail-quiet { color: #aab3c0 !important; border-color: ${edge} !important }`,
    `.mail .mail-fact { border-color: ${edge} !important }`,
  ];
  return `@media (prefers-color-scheme: dark) {\n${rules.join("\n")}\n}`;
}

/** Stored CSS was checked when it was saved; it is checked again because it goes into the page unescaped. */
function safeCss(css: string): string {
  const read = readCustomCss(css);
  return read.ok ? read.css : "";
}
