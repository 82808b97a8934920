import type { TFunction } from "i18next";

type CatalogueTexts = { [key: string]: string | CatalogueTexts };
type Params = Record<string, unknown>;
/** A text split at its variables: the text before each variable, the variables' names, and last the text after them. */
type TextTemplate = { words: string[]; names: string[] };

/** The option names that i18next reads from among the variables, as far as Midman uses them. */
const i18nextOptionNames = ["count", "context", "skipInterpolation"];

/**
 * An i18next translator of one language that looks up and parses the texts of `catalogue` once. i18next does both again for each text of
 * each page, which was a seventh of the cost of rendering a room. Texts with plural forms or formatted variables, and keys missing in the
 * catalogue, are left to i18next.
 */
export function createCachedTranslator(translate: TFunction, catalogue: CatalogueTexts): TFunction {
  const known = new Map<string, TextTemplate>();
  for (const [key, text] of listTexts(catalogue)) {
    const plain = parseTemplate(text);
    if (plain !== undefined) known.set(key, plain);
  }
  const ask = translate as unknown as (key: string, params?: Params) => string;
  const answer = (key: string, params?: Params): string => {
    const text = known.get(key);
    if (text === undefined || (params !== undefined && i18nextOptionNames.some((name) => name in params)))
      return ask(key, params);
    return text.names.length === 0 ? (text.words[0] ?? "") : fillTemplate(text, params ?? {});
  };
  return Object.assign(answer, translate) as unknown as TFunction;
}

function* listTexts(texts: CatalogueTexts, under = ""): Generator<[string, string]> {
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === "string") yield [under + key, value];
    else yield* listTexts(value, `${under}${key}.`);
  }
}

/** Undefined for texts that only i18next can render: a variable with a format, or a nested text. */
function parseTemplate(text: string): TextTemplate | undefined {
  if (text.includes("$t(")) return undefined;
  const parts = text.split(/\{\{(.*?)\}\}/s);
  const names = parts.filter((_, at) => at % 2 === 1).map((name) => name.trim());
  if (!names.every((name) => /^\w+$/.test(name))) return undefined;
  return { names, words: parts.filter((_, at) => at % 2 === 0) };
}

function fillTemplate({ words, names }: TextTemplate, params: Params): string {
  let text = words[0] ?? "";
  for (const [at, name] of names.entries()) text += `${params[name] ?? ""}${words[at + 1]}`;
  return text;
}
