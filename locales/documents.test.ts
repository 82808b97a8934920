import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ConsentDocument, consentDocuments, consentVersions } from "#forms/identity";
import { documentNames, getPublishedDocument, type PublishedDocument, parseDocument } from "./documents.ts";
import { type Language, supportedLanguages } from "./index.ts";

const source = (name: string, language: Language) =>
  readFileSync(join(import.meta.dir, "documents", `${name}.${language}.md`), "utf8");

const ids = (document: PublishedDocument) =>
  document.sections.flatMap((section) => [section.id, ...section.parts.map((part) => part.id)]);

/** The names of the placeholders, of figures and labels, with repetitions. */
const placeholders = (markdown: string) =>
  [...markdown.matchAll(/\{\{(\w[\w.]*)\}\}/g)].map(([, name = ""]) => name).toSorted();

// A hash algorithm, an equal split and the telephone number of the police: none is a figure of Midman's that could change.
const noFigures = /argon2id|50\/50|\(102\)/g;

/** A duration or a count of characters in words: “five minutes”, «таван минут». */
const spelledFigure = new RegExp(
  [
    "\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|an?) (?:minute|hour|day|week|month|year|character)s?\\b",
    "(?<!\\p{L})(?:нэг|хоёр|гурван|дөрвөн|таван|зургаан|долоон|найман|есөн|арван|гучин) (?:минут|цаг|өдөр|хоног|сар|жил|тэмдэгт)",
  ].join("|"),
  "iu",
);

/** The lines with a figure that does not come from a placeholder; the number of an ordered list item does not count. */
function typedFigures(markdown: string): string[] {
  return markdown
    .split("\n")
    .map((line) => line.replace(/^\s*\d+\. /, ""))
    .filter((line) => /\d/.test(line.replaceAll(noFigures, "")) || spelledFigure.test(line));
}

describe("the published texts", () => {
  for (const name of documentNames) {
    const [mn, en] = [source(name, "mn"), source(name, "en")];

    test(`${name}: both languages have the same headings, in one order`, () => {
      expect(ids(parseDocument(en))).toEqual(ids(parseDocument(mn)));
      expect(ids(parseDocument(mn)).length).toBeGreaterThan(3);
    });

    test(`${name}: both languages name the same figures`, () => {
      // A limit ("within 24 hours") is the same figure as its duration.
      const figures = (text: string) =>
        new Set(placeholders(text).map((name) => name.replace(/Within$/, "")));
      expect(figures(en)).toEqual(figures(mn));
    });

    test(`${name}: both languages link to the same pages`, () => {
      const links = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to).toSorted();
      expect(links(en)).toEqual(links(mn));
    });

    for (const language of supportedLanguages) {
      const markdown = language === "mn" ? mn : en;

      test(`${name} (${language}): no figure is typed by hand`, () => {
        expect(typedFigures(markdown)).toEqual([]);
      });

      test(`${name} (${language}): a title, a description, and text under every heading`, () => {
        const document = parseDocument(markdown);
        expect(document.title).not.toBe("");
        expect(document.description.length).toBeGreaterThan(40);
        expect(document.description.length).toBeLessThan(180);
        for (const { html, parts } of document.sections)
          expect(html + parts.map((p) => p.html)).toMatch(/\p{L}/u);
      });

      test(`${name} (${language}): links stay on this site and lead to existing headings`, () => {
        for (const [, to = ""] of markdown.matchAll(/\]\(([^)]+)\)/g)) {
          expect(to).toMatch(/^(\/(?!\/)|#)/);
          if (to.startsWith("#")) expect(ids(parseDocument(markdown))).toContain(to.slice(1));
        }
      });
    }
  }

  test("a figure typed by hand is detected", () => {
    expect(typedFigures("1. Within {{payout}}.\n\nWithin 3 hours.")).toEqual(["Within 3 hours."]);
    expect(typedFigures("A sign-in waits.\nWait five minutes.\nТаван минут хүлээнэ.")).toEqual([
      "Wait five minutes.",
      "Таван минут хүлээнэ.",
    ]);
  });
});

/**
 * The version of each document that people agree to, with the digest of both languages. Another text needs a new version in
 * `modules/identity/lib/consents/forms.ts` and a text that says what changed; then both are recorded here.
 */
const recorded: Record<ConsentDocument, { version: string; digest: string }> = {
  terms: { version: "2026-11-27", digest: "d975386dca1a5233" },
  privacy: { version: "2026-11-29", digest: "f2c68d10f7fa5baf" },
};

function digestOf(texts: readonly string[]): string {
  return new Bun.CryptoHasher("sha256").update(texts.join("\0")).digest("hex").slice(0, 16);
}

describe("the documents that people agree to", () => {
  for (const name of consentDocuments) {
    test(`${name}: a changed text has a new version`, () => {
      const digest = digestOf(supportedLanguages.map((language) => source(name, language)));
      expect<{ version: string; digest: string }>({ version: consentVersions[name], digest }).toEqual(
        recorded[name],
      );
    });
  }

  test("a changed character is noticed", () => {
    expect(digestOf(["Within {{payout}}.", "b"])).not.toBe(digestOf(["Within {{payout}},", "b"]));
  });
});

describe("parsing a document", () => {
  const head = "# Title\n> What it says.\n\nLead {{a}}.\n\n";

  test("sections and parts have their ids, after the introduction", () => {
    const document = parseDocument(`${head}## One *thing* {#one}\ntext\n\n### Inside {#inside}\nmore\n`);
    expect(document).toEqual({
      title: "Title",
      description: "What it says.",
      html: "<p>Lead {{a}}.</p>\n",
      sections: [
        {
          id: "one",
          title: "One thing",
          html: "<p>text</p>\n",
          parts: [{ id: "inside", title: "Inside", html: "<p>more</p>\n" }],
        },
      ],
    });
  });

  test("a heading without an id, a repeated id, or a part without a section is refused", () => {
    expect(() => parseDocument(`${head}## One\n`)).toThrow("no {#id}");
    expect(() => parseDocument(`${head}## One {#a}\n## Two {#a}\n`)).toThrow("the id a");
    expect(() => parseDocument(`${head}### One {#a}\n`)).toThrow("no section");
  });

  test("every table cell has its column's name", () => {
    const { html } = parseDocument(`${head}| Who "pays" | What |\n|---|---|\n| a | **b** |\n`);
    expect(html).toContain(
      '<tr><td data-name="Who &quot;pays&quot;">a</td><td data-name="What"><strong>b</strong></td></tr>',
    );
  });

  test("an unknown placeholder throws, facts are escaped, and each set of facts is filled in once", () => {
    expect(() => getPublishedDocument("terms", "en", { feeRule: "a" })).toThrow("No fact is called");
    const every = Object.fromEntries(
      placeholders(source("terms", "en")).map((name) => [name, '<b>&"*x*'] as const),
    );
    const document = getPublishedDocument("terms", "en", every);
    const html = document.sections.map((section) => section.html).join("");
    expect(html).toContain("&lt;b>&amp;&quot;*x*");
    expect(html).not.toContain("<b>");
    expect(html).not.toContain("{{");
    expect(getPublishedDocument("terms", "en", every)).toBe(document);
    expect(getPublishedDocument("terms", "en", { ...every })).not.toBe(document);
  });
});
