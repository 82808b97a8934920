import { z } from "zod";
import { contrast } from "./colours.ts";
import { readCustomCss } from "./custom-css.ts";

/** The mails that administrators may dress (specification §3), and the values that a text of theirs may name. */
export const dressed = {
  accountVerification: ["name"],
  passwordReset: ["name", "minutes"],
  welcome: ["name"],
  transactionCompletion: ["name", "code", "amount"],
} as const;

export type DressedName = keyof typeof dressed;
export const dressedNames = Object.keys(dressed) as DressedName[];
export const layouts = ["modern", "classic", "minimal"] as const;
export const longest = {
  subject: 150,
  brandName: 60,
  footerText: 300,
  buttonText: 40,
  logoUrl: 500,
  customCss: 2000,
};

export const isDressed = (name: string): name is DressedName => Object.hasOwn(dressed, name);

const colour = (standard: string) =>
  z
    .string("validation.colour")
    .trim()
    .regex(/^#[0-9a-f]{6}$/i, "validation.colour")
    .toLowerCase()
    .default(standard);

/** One line, as letters alone: no sign that ends lines or turns text around. Empty means our own words. */
const line = (max: number, variables: readonly string[]) =>
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

/** Every double brace of a text is one of the known variables. */
function namesOnly(value: string, variables: readonly string[]): boolean {
  const rest = value.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    variables.includes(name) ? "" : whole,
  );
  return !/\{\{|\}\}/.test(rest);
}

/** A number as a slider gives it. */
const number = (min: number, max: number, standard: number) =>
  z
    .union([z.number(), z.string().regex(/^\d{1,3}(?:\.\d{1,2})?$/)], "validation.range")
    .transform(Number)
    .pipe(z.number("validation.range").min(min, "validation.range").max(max, "validation.range"))
    .default(standard);

const logoUrl = z
  .string("validation.invalid")
  .trim()
  .max(longest.logoUrl, "validation.tooLong")
  .refine((value) => value === "" || isPlainHttps(value), "validation.logo")
  .default("");

function isPlainHttps(value: string): boolean {
  const parsed = /^https:\/\/[^\s"'<>\\`]+$/i.test(value) ? URL.parse(value) : null;
  return parsed !== null && parsed.username === "" && parsed.password === "";
}

const customCss = z
  .string("validation.invalid")
  .max(longest.customCss, "validation.tooLong")
  .superRefine((value, context) => {
    const read = readCustomCss(value);
    if (!read.ok) context.addIssue({ code: "custom", message: read.fault });
  })
  .default("");

function fields(template: DressedName) {
  const variables = dressed[template];
  return {
    layout: z.enum(layouts, "validation.invalid").default("modern"),
    subjectMn: line(longest.subject, variables),
    subjectEn: line(longest.subject, variables),
    brandName: line(longest.brandName, []),
    logoUrl,
    borderRadius: number(0, 20, 8).refine(Number.isInteger, "validation.range"),
    fontSize: number(12, 20, 16).refine(Number.isInteger, "validation.range"),
    lineHeight: number(1.2, 2, 1.6),
    primaryColor: colour("#2563eb"),
    buttonColor: colour("#2563eb"),
    backgroundColor: colour("#ffffff"),
    textColor: colour("#1f2937"),
    headerColor: colour("#111827"),
    buttonTextMn: line(longest.buttonText, variables),
    buttonTextEn: line(longest.buttonText, variables),
    footerTextMn: line(longest.footerText, variables),
    footerTextEn: line(longest.footerText, variables),
    customCss,
  };
}

type Colours = { backgroundColor: string; textColor: string; headerColor: string };

/** Letters that nobody can read are a mistake, whoever chose them. */
function legible(value: Colours, context: z.RefinementCtx): void {
  for (const field of ["textColor", "headerColor"] as const) {
    if (contrast(value[field], value.backgroundColor) >= 4.5) continue;
    context.addIssue({ code: "custom", path: [field], message: "validation.contrast" });
  }
}

/** What may be said of a template's look (specification §3); whatever is left out is as by default. Messages are keys. */
export const customizationsOf = (template: DressedName) => z.object(fields(template)).superRefine(legible);
/** The same, where a name that is not known is refused. */
export const strictCustomizationsOf = (template: DressedName) =>
  z.strictObject(fields(template)).superRefine(legible);

export type Customizations = z.output<ReturnType<typeof customizationsOf>>;

/** As specified: blue on white, modern, our own words. */
export const standard: Customizations = customizationsOf("welcome").parse({});

type Scheme = Pick<
  Customizations,
  "primaryColor" | "buttonColor" | "backgroundColor" | "textColor" | "headerColor"
>;

const light = { backgroundColor: "#ffffff", textColor: "#1f2937", headerColor: "#111827" };
const one = (colour: string): Scheme => ({ ...light, primaryColor: colour, buttonColor: colour });

/** Colours that go together, to begin with. */
export const presets: Record<"blue" | "green" | "red" | "purple" | "dark", Scheme> = {
  blue: one("#2563eb"),
  green: one("#15803d"),
  red: one("#dc2626"),
  purple: one("#7c3aed"),
  dark: {
    primaryColor: "#60a5fa",
    buttonColor: "#3b82f6",
    backgroundColor: "#111827",
    textColor: "#e5e7eb",
    headerColor: "#f9fafb",
  },
};
