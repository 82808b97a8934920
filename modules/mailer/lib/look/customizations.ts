import { z } from "zod";
import { rangeMessage } from "#format";
import { measureContrast } from "./colors.ts";
import { readCustomCss } from "./custom-css.ts";

/** The mails that administrators may customise, with the variables that their texts may contain. */
export const customizableTemplates = {
  accountVerification: ["name"],
  passwordReset: ["name", "minutes"],
  welcome: ["name"],
  transactionCompletion: ["name", "code", "amount"],
} as const;

export type CustomizableTemplate = keyof typeof customizableTemplates;
export const customizableNames = Object.keys(customizableTemplates) as CustomizableTemplate[];
export const layoutNames = ["modern", "classic", "minimal"] as const;
const maxLengths = {
  subject: 150,
  brandName: 60,
  footerText: 300,
  buttonText: 40,
  logoUrl: 500,
  customCss: 2000,
};

export const isCustomizable = (name: string): name is CustomizableTemplate =>
  Object.hasOwn(customizableTemplates, name);

const colorSchema = (standard: string) =>
  z
    .string("validation.colour")
    .trim()
    .regex(/^#[0-9a-f]{6}$/i, "validation.colour")
    .toLowerCase()
    .default(standard);

/** One line of plain text: no characters that end a line or change the text's direction. Empty means Midman's own text. */
const templateLineSchema = (max: number, variables: readonly string[]) =>
  z
    .string("validation.invalid")
    .refine((value) => !/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u.test(value), {
      message: "validation.characters",
      abort: true,
    })
    .trim()
    .max(max, "validation.tooLong")
    .refine((value) => namesOnly(value, variables), "validation.variable")
    .default("");

/** True if every double brace of a text is one of the known variables. */
function namesOnly(value: string, variables: readonly string[]): boolean {
  const rest = value.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    variables.includes(name) ? "" : whole,
  );
  return !/\{\{|\}\}/.test(rest);
}

/** A number as a slider sends it. */
const numberSchema = (min: number, max: number, standard: number, isAllowed = (_: number) => true) => {
  const issue = rangeMessage(min, max);
  return z
    .union([z.number(), z.string().regex(/^\d{1,3}(?:\.\d{1,2})?$/)], issue)
    .transform(Number)
    .pipe(z.number(issue).min(min, issue).max(max, issue).refine(isAllowed, issue))
    .default(standard);
};

const logoUrl = z
  .string("validation.invalid")
  .trim()
  .max(maxLengths.logoUrl, "validation.tooLong")
  .refine((value) => value === "" || isPlainHttps(value), "validation.logo")
  .default("");

function isPlainHttps(value: string): boolean {
  const parsed = /^https:\/\/[^\s"'<>\\`]+$/i.test(value) ? URL.parse(value) : null;
  return parsed !== null && parsed.username === "" && parsed.password === "";
}

const customCss = z
  .string("validation.invalid")
  .max(maxLengths.customCss, "validation.tooLong")
  .superRefine((value, context) => {
    const read = readCustomCss(value);
    if (!read.ok) context.addIssue({ code: "custom", message: read.fault });
  })
  .default("");

function customizationFields(template: CustomizableTemplate) {
  const variables = customizableTemplates[template];
  return {
    layout: z.enum(layoutNames, "validation.invalid").default("modern"),
    subjectMn: templateLineSchema(maxLengths.subject, variables),
    subjectEn: templateLineSchema(maxLengths.subject, variables),
    brandName: templateLineSchema(maxLengths.brandName, []),
    logoUrl,
    borderRadius: numberSchema(0, 20, 8, Number.isInteger),
    fontSize: numberSchema(12, 20, 16, Number.isInteger),
    lineHeight: numberSchema(1.2, 2, 1.6),
    primaryColor: colorSchema("#2563eb"),
    buttonColor: colorSchema("#2563eb"),
    backgroundColor: colorSchema("#ffffff"),
    textColor: colorSchema("#1f2937"),
    headerColor: colorSchema("#111827"),
    buttonTextMn: templateLineSchema(maxLengths.buttonText, variables),
    buttonTextEn: templateLineSchema(maxLengths.buttonText, variables),
    footerTextMn: templateLineSchema(maxLengths.footerText, variables),
    footerTextEn: templateLineSchema(maxLengths.footerText, variables),
    customCss,
  };
}

type TextColors = { backgroundColor: string; textColor: string; headerColor: string };

/** Refuses unreadable text colours. */
function checkLegibility(value: TextColors, context: z.RefinementCtx): void {
  for (const field of ["textColor", "headerColor"] as const) {
    if (measureContrast(value[field], value.backgroundColor) >= 4.5) continue;
    context.addIssue({ code: "custom", path: [field], message: "validation.contrast" });
  }
}

/** Customisations of a template; omitted fields get their defaults. Messages are catalogue keys. */
export const customizationsOf = (template: CustomizableTemplate) =>
  z.object(customizationFields(template)).superRefine(checkLegibility);
/** The same, but refuses unknown fields. */
export const strictCustomizationsOf = (template: CustomizableTemplate) =>
  z.strictObject(customizationFields(template)).superRefine(checkLegibility);

export type Customizations = z.output<ReturnType<typeof customizationsOf>>;

/** The defaults: blue on white, modern layout, Midman's own texts. */
export const defaultCustomizations: Customizations = customizationsOf("welcome").parse({});

type ColorScheme = Pick<
  Customizations,
  "primaryColor" | "buttonColor" | "backgroundColor" | "textColor" | "headerColor"
>;

const lightColors = { backgroundColor: "#ffffff", textColor: "#1f2937", headerColor: "#111827" };
const makeAccentScheme = (colour: string): ColorScheme => ({
  ...lightColors,
  primaryColor: colour,
  buttonColor: colour,
});

/** Colour schemes to start from. */
export const colorPresets: Record<"blue" | "green" | "red" | "purple" | "dark", ColorScheme> = {
  blue: makeAccentScheme("#2563eb"),
  green: makeAccentScheme("#15803d"),
  red: makeAccentScheme("#dc2626"),
  purple: makeAccentScheme("#7c3aed"),
  dark: {
    primaryColor: "#60a5fa",
    buttonColor: "#3b82f6",
    backgroundColor: "#111827",
    textColor: "#e5e7eb",
    headerColor: "#f9fafb",
  },
};
