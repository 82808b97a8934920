import i18next, { type TFunction } from "i18next";
import en from "./en.json" with { type: "json" };
import { inWords } from "./format.ts";
import mn from "./mn.json" with { type: "json" };
import { remembered } from "./remembered.ts";

/** The two languages of Midman; `mn` is the original. */
export type Language = "en" | "mn";
export const languages: readonly Language[] = ["mn", "en"];

type Same<T> = { [K in keyof T]: T[K] extends string ? string : Same<T[K]> };
// Each catalogue must have every key of the other: a missing translation is a type error here.
const catalogues = { en: en satisfies Same<typeof mn>, mn: mn satisfies Same<typeof en> };

/** Every code a refusal may carry: those the catalogues have a message for. */
export type ErrorCode = keyof typeof en.errors;

type Leaves<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}` }[keyof T &
  string];
/** Everything the audit log may record: what the catalogues have a label for. */
export type Action = Leaves<typeof en.actions>;
/** The same as a list. */
export const actions: readonly Action[] = leavesOf(en.actions) as Action[];

type Texts = { [key: string]: string | Texts };

function leavesOf(texts: Texts, under = ""): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [under + key] : leavesOf(value, `${under}${key}.`),
  );
}

/** The actions that begin with `Kind` and a dot, without them. */
export type ActionOf<Kind extends string, A = Action> = A extends `${Kind}.${infer Rest}` ? Rest : never;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
  }
}

const instance = i18next.createInstance();
void instance.init({
  resources: { en: { translation: catalogues.en }, mn: { translation: catalogues.mn } },
  lng: "mn",
  fallbackLng: false,
  initAsync: false,
  interpolation: { escapeValue: false },
});

// A text says `{{seconds, wait}}` where it tells how long to wait.
instance.services.formatter?.add("wait", (seconds, language) =>
  inWords(Number(seconds), language === "en" ? "en" : "mn"),
);

/** The translator of one language; its keys are typed. Texts are plain: whoever prints them escapes. */
export function translator(language: Language): TFunction {
  return translators[language];
}

const translators: Record<Language, TFunction> = {
  en: remembered(instance.getFixedT("en"), catalogues.en),
  mn: remembered(instance.getFixedT("mn"), catalogues.mn),
};

/** A text whose key is known only when running (a code, a notice); the key itself when there is none. */
export function text(language: Language, key: string, params: Record<string, string | number> = {}): string {
  return (translators[language] as (key: string, params: object) => string)(key, params);
}

/** True when both catalogues hold the key. */
export function hasText(key: string): boolean {
  return instance.exists(key, { lng: "en" });
}

/** Reads a language out of anything a person or browser sent; undefined when it names none of ours. */
export function asLanguage(value: string | null | undefined): Language | undefined {
  const tag = value?.trim().toLowerCase() ?? "";
  if (tag === "mn" || tag.startsWith("mn-")) return "mn";
  if (tag === "en" || tag.startsWith("en-")) return "en";
  return undefined;
}
