import { expect, test } from "bun:test";
import i18next from "i18next";
import { getTranslator, supportedLanguages, translateText } from "#locales";
import en from "./en.json" with { type: "json" };
import mn from "./mn.json" with { type: "json" };

type Texts = { [key: string]: string | Texts };
const catalogues = { en, mn };

function keysOf(texts: Texts, under = ""): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [under + key] : keysOf(value, `${under}${key}.`),
  );
}

/** Plain i18next with the same texts, without the cache. */
const plain = i18next.createInstance();
void plain.init({
  resources: { en: { translation: en }, mn: { translation: mn } },
  fallbackLng: false,
  initAsync: false,
  interpolation: { escapeValue: false },
});

test("every text without formatting equals i18next's result", () => {
  let compared = 0;
  for (const language of supportedLanguages) {
    const asked = plain.getFixedT(language) as unknown as (key: string, params?: object) => string;
    for (const key of keysOf(catalogues[language] as Texts)) {
      const said = asked(key, { skipInterpolation: true });
      if (/\{\{\w+, ?(?:day|wait)\}\}/.test(said)) continue; // formats of Midman's own, which only translateText() knows
      const names = [...said.matchAll(/\{\{\s*(\w+)/g)].map((found) => String(found[1]));
      const params = Object.fromEntries(names.map((name, at) => [name, at % 2 ? `${name} $& <b>` : 7 + at]));
      expect(translateText(language, key, params)).toBe(asked(key, params));
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(2000);
});

test("a missing variable becomes empty; one that contains a variable's sign is inserted as it is", () => {
  const name = "{{name}}";
  const key = keysOf(en as Texts).find((each) => translateText("en", each, { name }).includes(name)) ?? "";
  expect(key).not.toBe("");
  expect(translateText("en", key, {})).not.toContain("{{");
  expect(translateText("en", key, { name: "$t(common.yes) {{x}}" })).toContain("$t(common.yes) {{x}}");
});

test("i18next's own options still work", () => {
  expect(translateText("en", "chat.unread", { count: 1 })).toBe("1 unread message");
  expect(translateText("en", "chat.unread", { count: 2 })).toBe("2 unread messages");
  const raw = getTranslator("en") as unknown as (key: string, options: object) => string;
  expect(raw("admin.trades.found", { count: 1, skipInterpolation: true })).toBe(
    "{{number}} transaction found",
  );
});

test("a missing text shows its key", () => {
  expect(translateText("en", "nothing.like.it", { a: 1 })).toBe("nothing.like.it");
});
