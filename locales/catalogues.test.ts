import { describe, expect, test } from "bun:test";
import { readDocumentFacts } from "#app/server/texts/document-facts";
import { overrideConfig } from "#config";
import {
  documentLines,
  listPlaceholders,
  mailTexts,
  readCatalogTexts,
  readSourceTexts,
  stripToWords,
  type Text,
  wordStartPattern,
  wordsNotToBeUsed,
} from "../tests/support/sources/catalog-texts.ts";

const mn = readCatalogTexts("mn");
const en = readCatalogTexts("en");
const english = new Map(en.map(({ key, text }) => [key, text]));
const keysOf = (texts: Text[]) => texts.map(({ key }) => key);
const keysWhere = (texts: Text[], wrong: (text: string) => boolean) =>
  texts.filter(({ text }) => wrong(text)).map(({ key, text }) => `${key}: ${text}`);

/** A language's name, and the link to it, are written in that language, so that people who read only it find it; `language` is its code. */
const namedInItself = new Set(["languages.en", "languages.mn", "documents.other", "language"]);
const ownWords = (texts: Text[]) => texts.filter(({ key }) => !namedInItself.has(key));

describe("both catalogues", () => {
  test("have the same keys", () => {
    expect(keysOf(mn)).toEqual(keysOf(en));
    expect(mn.length).toBeGreaterThan(500);
  });

  test("have the same placeholders in each pair of texts", () => {
    const plurals = /_(zero|one|two|few|many|other)$/;
    const differ = mn.filter(
      ({ key, text }) =>
        !plurals.test(key) &&
        String(listPlaceholders(text)) !== String(listPlaceholders(english.get(key) ?? "")),
    );
    expect(keysOf(differ)).toEqual([]);
  });

  test("have no empty text, and none with spaces around it or two in a row", () => {
    expect(keysWhere([...mn, ...en], (text) => text.trim() === "" || /^\s|\s$| {2}/.test(text))).toEqual([]);
  });

  test("have every plural form of a text that has one", () => {
    const bases = new Set(keysOf(en).flatMap((key) => /^(.+)_(?:one|other)$/.exec(key)?.[1] ?? []));
    const forms = new Set(
      ["mn", "en"].flatMap((language) => new Intl.PluralRules(language).resolvedOptions().pluralCategories),
    );
    const missing = [...bases].flatMap((base) =>
      [...forms].map((form) => `${base}_${form}`).filter((key) => !english.has(key)),
    );
    expect(missing).toEqual([]);
    expect(bases.size).toBeGreaterThan(0);
  });

  test("count in English only with a plural form", () => {
    const counted = en.filter(({ key, text }) => /\{\{count\}\}/.test(text) && !/_(one|other)$/.test(key));
    expect(keysOf(counted)).toEqual([]);
  });
});

/** Names and abbreviations that are written in Latin letters in Mongolian too. */
const latin =
  /^(QR|QPay|IBAN|MN|Midman|URL|IP|SMTP|CSV|PIN|CVV|JSON|HTTPS|https?|AVIF|iPhone|Chrome|Safari|Facebook|Instagram|Messenger|Google|Authenticator|PNG|JPEG|WebP|GIF|PDF|MB)$/;
const latinWords = (text: string) =>
  [...stripToWords(text).matchAll(/[A-Za-z][A-Za-z0-9]+/g)]
    .map(([word]) => word)
    .filter((word) => !latin.test(word));
const documentLatin = /^(argon2id|CVV|HTTPS|Mozilla|Microsoft|Apple)$/;

describe("each language", () => {
  test("Mongolian texts hold no English word", () => {
    expect(keysWhere(ownWords(mn), (text) => latinWords(text).length > 0)).toEqual([]);
    const foreign = (text: string) => latinWords(text).some((word) => !documentLatin.test(word));
    expect(keysWhere(documentLines("mn"), foreign)).toEqual([]);
  });

  test("English texts hold no Cyrillic letter", () => {
    const cyrillic = (text: string) => /\p{Script=Cyrillic}/u.test(text);
    expect(keysWhere([...ownWords(en), ...documentLines("en")], cyrillic)).toEqual([]);
  });

  test("Mongolian quotes with «…», English with “…”", () => {
    expect(keysWhere([...mn, ...documentLines("mn")], (text) => /[“”]/.test(text))).toEqual([]);
    expect(keysWhere([...en, ...documentLines("en")], (text) => /[«»]/.test(text))).toEqual([]);
  });

  test("a limit in Mongolian has its duration in the genitive", () => {
    // «24 цаг дотор» is wrong, and a placeholder holds «24 цаг»: `formatWithin` makes «24 цагийн дотор».
    const nominative = (text: string) => /(\}\}|минут|цаг|хоног|өдөр|жил) дотор/u.test(text);
    expect(nominative("{{payout}} дотор")).toBe(true);
    expect(keysWhere([...mn, ...documentLines("mn")], nominative)).toEqual([]);
  });

  test("no case ending in Mongolian is attached to a placeholder", () => {
    const hung = (text: string) => /\}\}-?\p{L}/u.test(text);
    expect(keysWhere([...mn, ...documentLines("mn")], hung)).toEqual([]);
  });

  test("Mongolian texts avoid the words that the glossary rules out", () => {
    const ruledOut = wordsNotToBeUsed();
    expect(ruledOut.length).toBeGreaterThan(50);
    // The commission for human rights bears a word that Midman does not use for its fee.
    const withoutNames = (text: string) => text.replaceAll("Хүний эрхийн Үндэсний Комисс", "");
    const found = ruledOut.flatMap((word) =>
      keysWhere([...mn, ...documentLines("mn")], (text) =>
        wordStartPattern(word).test(withoutNames(text)),
      ).map((where) => `${word} | ${where}`),
    );
    expect(found).toEqual([]);
  });

  test("a ruled-out word is detected, also with an ending or a capital", () => {
    expect(wordStartPattern("буцаалт").test("Таны Буцаалтыг илгээлээ")).toBe(true);
    expect(wordStartPattern("QR-аар").test("QR-аар төлнө")).toBe(true);
    expect(wordStartPattern("линк").test("Блинк")).toBe(false);
  });
});

test("every placeholder of the documents is a fact, under either fee policy", () => {
  for (const policy of ["terms", "standard"] as const) {
    overrideConfig({ FEE_POLICY: policy });
    for (const language of ["mn", "en"] as const) {
      const known = readDocumentFacts(language);
      const unknown = documentLines(language).flatMap(({ key, text }) =>
        listPlaceholders(text).flatMap((name) => (known[name] ? [] : `${key}: ${name}`)),
      );
      expect(unknown).toEqual([]);
    }
  }
});

/** Groups whose keys are composed from a code or a name: a template literal `<group>.${…}`. Deeper ones are found automatically. */
const groups = [
  "errors",
  "escrow",
  "failed",
  "history",
  "identity",
  "languages",
  "line",
  "money",
  "notices",
  "push",
  "roles",
  "settings",
  "status",
  "steps",
  "support",
];
/** Labels of the audit log whose names are composed where they are recorded. */
const composed = ["admin_login_failed", "login_failed", "image_sent"];

test("every text is used by the code", () => {
  const code = readSourceTexts();
  const quoted = new Set([...code.matchAll(/["'`]([A-Za-z][\w.-]*)["'`]/g)].map(([, text = ""]) => text));
  const named = new Set([...code.matchAll(/[\w-]+/g)].map(([name]) => name));
  const mails = mailTexts();
  // `trade.turn.${turn}` and `settings.notifications.${kind}Hint`: the text before the value and after it.
  const literals = [...code.matchAll(/`([a-z]\w*(?:\.[\w-]+)*\.)\$\{[^}]*\}([\w.]*)`/g)];
  const made = literals
    .map(([, before = "", after = ""]) => ({ before, after }))
    .filter(({ before }) => before.split(".").length > 2 || groups.includes(before.slice(0, -1)))
    .concat({ before: "actions.", after: "" });
  const used = (key: string) => {
    if (quoted.has(key.replace(/_(one|other)$/, "")) || mails.whole.has(key)) return true;
    if (mails.begun.some((start) => key.startsWith(start))) return true;
    return made.some(({ before, after }) => {
      if (!key.startsWith(before) || !key.endsWith(after)) return false;
      const value = key.slice(before.length, key.length - after.length).replace(/^.*\./, "");
      return named.has(value) || composed.includes(value);
    });
  };
  expect(keysOf(en).filter((key) => !used(key))).toEqual([]);
  expect(groups.filter((group) => !code.includes(`\`${group}.\${`))).toEqual([]);
  expect(used("errors.NO_SUCH_CODE_ANYWHERE")).toBe(false);
  expect(used("chat.nothing")).toBe(false);
});
