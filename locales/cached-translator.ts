import type { TFunction } from "i18next";

type CatalogueTexts = { [key: string]: string | CatalogueTexts };
type Params = Record<string, unknown>;
/** A text, taken apart at its variables: what stands before each, its name; and last what follows them. */
type TextTemplate = { words: string[]; names: string[] };

/** What i18next is told by a name of its own among the variables, as far as we use it. */
const i18nextOptionNames = ["count", "context", "skipInterpolation"];

/**
 * i18next's translator of one language, with the texts of `catalogue` looked up and taken apart once: it does both anew for
 * each word of each page, which was a seventh of what drawing a room cost. What has forms for numbers or
 * formats its variables is left to i18next; so is what the catalogue does not have.
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

/** Undefined for what only i18next can say: a variable with a format, a text within a text. */
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
