import type { TFunction } from "i18next";
import { createContext, type ReactNode, useContext } from "react";
import type { Language } from "#format";

const TranslateContext = createContext<{ t: TFunction; language: Language } | null>(null);

/** Provides the page's language to everything inside. */
export function TranslationProvider(props: { t: TFunction; language: Language; children: ReactNode }) {
  return (
    <TranslateContext value={{ t: props.t, language: props.language }}>{props.children}</TranslateContext>
  );
}

/** The typed translator of the page. */
export function useT(): TFunction {
  return useTranslation().t;
}

/** The page's language. */
export function useLanguage(): Language {
  return useTranslation().language;
}

/** Looks up a text whose key is known only at run time: a code, a notice, a field's message. */
export function useText(): (key: string, params?: Record<string, string | number>) => string {
  return useT() as unknown as (key: string, params?: Record<string, string | number>) => string;
}

function useTranslation() {
  const translated = useContext(TranslateContext);
  if (translated === null) throw new Error("useT outside <Translated>");
  return translated;
}
