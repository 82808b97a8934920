import i18next, { type TFunction } from "i18next";
import { createCachedTranslator } from "./cached-translator.ts";
import en from "./en.json" with { type: "json" };
import { dayInWords, formatWait } from "./format.ts";
import mn from "./mn.json" with { type: "json" };

/** The two languages of Midman; `mn` is the original. */
export type Language = "en" | "mn";
export const supportedLanguages: readonly Language[] = ["mn", "en"];

type SameKeys<T> = { [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };
// Each catalogue must have every key of the other: a missing translation is a type error here.
const textCatalogues = { en: en satisfies SameKeys<typeof mn>, mn: mn satisfies SameKeys<typeof en> };

/** Every refusal code: those that the catalogues have a message for. */
export type ErrorCode = keyof typeof en.errors;

type LeafKeys<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${LeafKeys<T[K]>}` }[keyof T &
  string];
/** Every action that the audit log may record: those that the catalogues have a label for. */
export type AuditAction = LeafKeys<typeof en.actions>;
/** The same actions as a list. */
export const auditActions: readonly AuditAction[] = leafKeysOf(en.actions) as AuditAction[];

type TextTree = { [key: string]: string | TextTree };

function leafKeysOf(texts: TextTree, under = ""): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [under + key] : leafKeysOf(value, `${under}${key}.`),
  );
}

/** The actions that begin with `Kind` and a dot, without this prefix. */
export type AuditActionOf<Kind extends string, A = AuditAction> = A extends `${Kind}.${infer Rest}`
  ? Rest
  : never;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
  }
}

const i18nextInstance = i18next.createInstance();
void i18nextInstance.init({
  resources: { en: { translation: textCatalogues.en }, mn: { translation: textCatalogues.mn } },
  lng: "mn",
  fallbackLng: false,
  initAsync: false,
  interpolation: { escapeValue: false },
});

// A text writes `{{seconds, wait}}` to say how long to wait.
i18nextInstance.services.formatter?.add("wait", (seconds, language) =>
  formatWait(Number(seconds), language === "en" ? "en" : "mn"),
);

// `{{until, day}}` writes a date, given as `yyyy-MM-dd`, in words.
i18nextInstance.services.formatter?.add("day", (day, language) =>
  dayInWords(String(day), language === "en" ? "en" : "mn"),
);

/** The translator of one language, with typed keys. Texts are not escaped; the code that prints them must escape. */
export function getTranslator(language: Language): TFunction {
  return translatorByLanguage[language];
}

const translatorByLanguage: Record<Language, TFunction> = {
  en: createCachedTranslator(i18nextInstance.getFixedT("en"), textCatalogues.en),
  mn: createCachedTranslator(i18nextInstance.getFixedT("mn"), textCatalogues.mn),
};

/** A text whose key is known only at run time (a code, a notice); the key itself if there is no text. */
export function translateText(
  language: Language,
  key: string,
  params: Record<string, string | number> = {},
): string {
  return (translatorByLanguage[language] as (key: string, params: object) => string)(key, params);
}

/** True if both catalogues have the key. */
export function hasText(key: string): boolean {
  return i18nextInstance.exists(key, { lng: "en" });
}

/** The language named by a form or a browser; undefined if it is not supported. */
export function parseLanguage(value: string | null | undefined): Language | undefined {
  const tag = value?.trim().toLowerCase() ?? "";
  if (tag === "mn" || tag.startsWith("mn-")) return "mn";
  if (tag === "en" || tag.startsWith("en-")) return "en";
  return undefined;
}
