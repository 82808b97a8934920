import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documentLines, readCatalogTexts, type Text } from "../tests/support/sources/catalog-texts.ts";
import { hasText, type Language, supportedLanguages, translateText } from "./index.ts";

/**
 * A label that a text quotes is the label on the button, letter for letter. Documents take it from the catalogues (`{{trade.verify}}`), so
 * it cannot differ; a text of the catalogues writes it, and is compared here with the texts of its language.
 */

/** Quotes that name no label, each with its reason. */
const noLabels: Record<Language, Record<string, string>> = {
  en: {
    Midman: "the operator's short name, as the terms define it",
    we: "the operator, as the terms define it",
    "the payment has arrived": "the words of a swindler",
    "to verify": "the words of a swindler",
    "to unlock": "the words of a swindler",
    "to check": "the words of a swindler",
  },
  mn: {
    Midman: "the operator's short name, as the terms define it",
    бид: "the operator, as the terms define it",
    та: "the user, as the terms define it",
    "төлбөр орлоо": "the words of a swindler",
    "яг одоо": "the words of a swindler",
    Баталгаажуулах: "the words of a swindler",
    "түгжээ тайлах": "the words of a swindler",
    шалгах: "the words of a swindler",
  },
};

const root = join(import.meta.dir, "..");

const quotesIn = (text: string, language: Language) =>
  [...text.matchAll(language === "en" ? /“([^”]*)”/g : /«([^»]*)»/g)].map(([, quote = ""]) => quote);

const isPlaceholder = (quote: string) => /^\{\{\s*\w[\w.]*\s*\}\}$/.test(quote);

/** The key of a label that a document takes from the catalogues; undefined for anything else. */
const labelKey = (quote: string) => /^\{\{(\w+(?:\.[\w-]+)+)\}\}$/.exec(quote)?.[1];

const typedQuotes = (texts: readonly Text[], language: Language) =>
  texts.flatMap(({ key, text }) =>
    quotesIn(text, language)
      .filter((quote) => !isPlaceholder(quote))
      .map((quote) => ({ key, quote })),
  );

const isLabel = (quote: string, language: Language) =>
  readCatalogTexts(language).some(({ text }) => text === quote);

describe.each([...supportedLanguages])("labels that texts quote (%s)", (language) => {
  const catalogue = readCatalogTexts(language);
  const documents = documentLines(language);

  test("a text of the catalogues quotes a label of its language, letter for letter", () => {
    const found = typedQuotes(catalogue, language).filter(({ quote }) => !(quote in noLabels[language]));
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter(({ quote }) => !isLabel(quote, language))).toEqual([]);
  });

  test("a document names each label by its key, and the label exists", () => {
    expect(typedQuotes(documents, language).filter(({ quote }) => !(quote in noLabels[language]))).toEqual(
      [],
    );
    const taken = documents.flatMap(({ text }) => [...text.matchAll(/\{\{(\w+\.[\w.-]+)\}\}/g)]);
    expect(taken.length).toBeGreaterThan(15);
    expect(taken.map(([, key = ""]) => key).filter((key) => !hasText(key))).toEqual([]);
  });

  test("a document quotes every label that it takes", () => {
    const unquoted = documents.flatMap(({ key, text }) => {
      const taken = [...text.matchAll(/\{\{\w+\.[\w.-]+\}\}/g)].map(([label]) => label);
      const quoted = new Set(quotesIn(text, language));
      return taken.filter((label) => !quoted.has(label)).map((label) => `${key}: ${label}`);
    });
    expect(unquoted).toEqual([]);
  });

  test("each exception is still in a text", () => {
    const written = new Set(typedQuotes([...catalogue, ...documents], language).map(({ quote }) => quote));
    expect(Object.keys(noLabels[language]).filter((quote) => !written.has(quote))).toEqual([]);
  });

  test("the notice of a confirmed payment begins with the words by which texts name it", () => {
    const name = translateText(language, "escrow.finding.confirmed");
    expect(translateText(language, "notices.paymentConfirmed", { total: 1 })).toStartWith(`${name}:`);
  });
});

test("both languages quote the same labels in each text", () => {
  const keysOf = (quote: string, language: Language) =>
    labelKey(quote) ??
    readCatalogTexts(language)
      .filter(({ text }) => text === quote)
      .map(({ key }) => key);
  const [mn, en] = (["mn", "en"] as const).map(
    (language) => new Map(readCatalogTexts(language).map(({ key, text }) => [key, quotesIn(text, language)])),
  );
  const differ = [...(en ?? [])].filter(([key, quotes]) => {
    const theirs = mn?.get(key) ?? [];
    if (theirs.length !== quotes.length) return true;
    return quotes.some((quote, at) => {
      const other = theirs[at] ?? "";
      if (isPlaceholder(quote)) return quote !== other;
      const shared = [keysOf(quote, "en")].flat().filter((one) => [keysOf(other, "mn")].flat().includes(one));
      return shared.length === 0;
    });
  });
  expect(differ.map(([key, quotes]) => [key, quotes, mn?.get(key)])).toEqual([]);
});

test("a mail's template quotes nothing itself: its texts are in the catalogues", () => {
  const templates = [...new Bun.Glob("emails/**/*.hbs").scanSync({ cwd: root })];
  expect(templates.length).toBeGreaterThan(20);
  const quoting = templates.filter((path) => /[“«]/.test(readFileSync(join(root, path), "utf8")));
  expect(quoting).toEqual([]);
});

test("a label that drifted is detected", () => {
  expect(quotesIn("Press “Check my payment”.", "en")).toEqual(["Check my payment"]);
  expect(isLabel(translateText("en", "trade.verify"), "en")).toBe(true);
  expect(isLabel("Verify My Payment", "en")).toBe(false);
  expect(isPlaceholder("{{trade.verify}}")).toBe(true);
  expect(isPlaceholder("Press {{button}}")).toBe(false);
});
