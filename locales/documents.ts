import { readFileSync } from "node:fs";
import { join } from "node:path";
import { marked, type Token, type Tokens } from "marked";
import { hasText, type Language, translateText } from "./index.ts";

/** The published documents; each is `documents/<name>.<language>.md`. */
export const documentNames = ["terms", "privacy", "security-guide", "faq"] as const;
export type DocumentName = (typeof documentNames)[number];

/** A section of a document that can be linked to; `title` is text, `html` is HTML. */
export type DocumentPart = { id: string; title: string; html: string };
export type DocumentSection = DocumentPart & { parts: DocumentPart[] };
export type PublishedDocument = {
  title: string;
  description: string;
  html: string;
  sections: DocumentSection[];
};

/** Values for the placeholders of the documents, in the document's language; labels come from the catalogues (`{{trade.verify}}`). */
export type DocumentFacts = Readonly<Record<string, string>>;

// A name with a dot is the key of a label: a document quotes the button as it is.
const placeholderPattern = /\{\{(\w[\w.]*)\}\}/g;
const headingIdPattern = /^(.*\S)\s*\{#([a-z][a-z0-9-]*)\}$/;

/**
 * Parses a document from Markdown: one `# title`, a `>` description, a lead, then `## Heading {#id}` sections with `### Heading {#id}`
 * parts inside. Placeholders are left in place. Throws on a heading without an id and on a repeated id.
 */
export function parseDocument(markdown: string): PublishedDocument {
  const document: PublishedDocument = { title: "", description: "", html: "", sections: [] };
  const ids = new Set<string>();
  let open: { html: string } = document;
  for (const token of marked.lexer(markdown)) {
    if (token.type === "heading" && token.depth === 1) document.title = stripMarkup(token.text);
    else if (token.type === "blockquote" && document.description === "")
      document.description = stripMarkup(token.text);
    else if (token.type === "heading") open = openPart(document, token as Tokens.Heading, ids);
    else open.html += renderToken(token);
  }
  return document;
}

function openPart(document: PublishedDocument, heading: Tokens.Heading, ids: Set<string>): DocumentPart {
  const [, title = "", id = ""] = headingIdPattern.exec(heading.text) ?? [];
  if (id === "") throw new Error(`The heading «${heading.text}» has no {#id}`);
  if (ids.has(id)) throw new Error(`Two headings have the id ${id}`);
  ids.add(id);
  const part: DocumentPart = { id, title: stripMarkup(title), html: "" };
  const section = document.sections.at(-1);
  if (heading.depth === 2) document.sections.push({ ...part, parts: [] });
  else if (section === undefined) throw new Error(`The heading ${id} stands in no section`);
  else section.parts.push(part);
  return heading.depth === 2 ? (document.sections.at(-1) ?? part) : part;
}

/** Every table cell carries its column's name: on a phone a row becomes a list of labelled lines. */
function renderToken(token: Token): string {
  if (token.type !== "table") return marked.parser([token]);
  const { header, rows } = token as Tokens.Table;
  const inner = ({ tokens }: Tokens.TableCell) => marked.Parser.parseInline(tokens);
  const names = header.map(({ text }) => escapeHtml(stripMarkup(text)));
  const head = header.map((cell) => `<th scope="col">${inner(cell)}</th>`).join("");
  const body = rows.map(
    (row) => `<tr>${row.map((cell, at) => `<td data-name="${names[at]}">${inner(cell)}</td>`).join("")}</tr>`,
  );
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

const stripMarkup = (text: string) => text.trim().replaceAll(/[*_`]/g, "");

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function readDocument(name: DocumentName, language: Language): PublishedDocument {
  return parseDocument(readFileSync(join(import.meta.dir, "documents", `${name}.${language}.md`), "utf8"));
}

const originalDocuments = new Map<string, PublishedDocument>();
const filledDocuments = new WeakMap<DocumentFacts, Map<string, PublishedDocument>>();

/**
 * A published document with its placeholders filled in, ready to show. Files are read once; a filled document is cached as long as the
 * facts object lives. Throws on a placeholder without a fact: a bug, which the tests look for.
 */
export function getPublishedDocument(
  name: DocumentName,
  language: Language,
  facts: DocumentFacts,
): PublishedDocument {
  const key = `${name}.${language}`;
  const kept = filledDocuments.get(facts) ?? new Map<string, PublishedDocument>();
  filledDocuments.set(facts, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const original = originalDocuments.get(key) ?? readDocument(name, language);
  originalDocuments.set(key, original);
  const document = fillPlaceholders(original, facts, language);
  kept.set(key, document);
  return document;
}

function fillPlaceholders(
  document: PublishedDocument,
  facts: DocumentFacts,
  language: Language,
): PublishedDocument {
  const text = (given: string) =>
    given.replaceAll(placeholderPattern, (_, name: string) => {
      const value =
        facts[name] ?? (name.includes(".") && hasText(name) ? translateText(language, name) : undefined);
      if (value === undefined) throw new Error(`No fact is called ${name}`);
      return value;
    });
  const html = (given: string) => given.replaceAll(placeholderPattern, (whole) => escapeHtml(text(whole)));
  const part = <T extends DocumentPart>(given: T): T => ({
    ...given,
    title: text(given.title),
    html: html(given.html),
  });
  return {
    title: text(document.title),
    description: text(document.description),
    html: html(document.html),
    sections: document.sections.map((section) => ({ ...part(section), parts: section.parts.map(part) })),
  };
}
