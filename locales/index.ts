import i18next, { type TFunction } from "i18next";
import { createCachedTranslator } from "./cached-translator.ts";
import en from "./en.json" with { type: "json" };
import { formatWait } from "./format.ts";
import mn from "./mn.json" with { type: "json" };

/** The two languages of Midman; `mn` is the original. */
export type Language = "en" | "mn";
export const supportedLanguages: readonly Language[] = ["mn", "en"];

type SameKeys<T> = { [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };
// Each catalogue must have every key of the other: a missing translation is a type error here.
const textCatalogues = { en: en satisfies SameKeys<typeof mn>, mn: mn satisfies SameKeys<typeof en> };

/** Every code a refusal may carry: those the catalogues have a message for. */
export type ErrorCode = keyof typeof en.errors;

type LeafKeys<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${LeafKeys<T[K]>}` }[keyof T &
  string];
/** Everything the audit log may record: what the catalogues have a label for. */
export type AuditAction = LeafKeys<typeof en.actions>;
/** The same as a list. */
export const auditActions: readonly AuditAction[] = leafKeysOf(en.actions) as AuditAction[];

type TextTree = { [key: string]: string | TextTree };

function leafKeysOf(texts: TextTree, under = ""): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [under + key] : leafKeysOf(value, `${under}${key}.`),
  );
}

/** The actions that begin with `Kind` and a dot, without them. */
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

// A text says `{{seconds, wait}}` where it tells how long to wait.
i18nextInstance.services.formatter?.add("wait", (seconds, language) =>
  formatWait(Number(seconds), language === "en" ? "en" : "mn"),
);

/** The translator of one language; its keys are typed. Texts are plain: whoever prints them escapes. */
export function getTranslator(language: Language): TFunction {
  return translatorByLanguage[language];
}

const translatorByLanguage: Record<Language, TFunction> = {
  en: createCachedTranslator(i18nextInstance.getFixedT("en"), textCatalogues.en),
  mn: createCachedTranslator(i18nextInstance.getFixedT("mn"), textCatalogues.mn),
};

/** A text whose key is known only when running (a code, a notice); the key itself when there is none. */
export function translateText(
  language: Language,
  key: string,
  params: Record<string, string | number> = {},
): string {
  return (translatorByLanguage[language] as (key: string, params: object) => string)(key, params);
}

/** True when both catalogues hold the key. */
export function hasText(key: string): boolean {
  return i18nextInstance.exists(key, { lng: "en" });
}

/** Reads a language out of anything a person or browser sent; undefined when it names none of ours. */
export function parseLanguage(value: string | null | undefined): Language | undefined {
  const tag = value?.trim().toLowerCase() ?? "";
  if (tag === "mn" || tag.startsWith("mn-")) return "mn";
  if (tag === "en" || tag.startsWith("en-")) return "en";
  return undefined;
}
