import type { Language } from "#locales";
import { documentLines, readCatalogTexts, type Text } from "../tests/support/sources/catalog-texts.ts";

/** A rule of how Midman writes, as far as a machine can tell. */
export interface VoiceRule {
  name: string;
  language: Language;
  /** Whether it holds for the catalogue, for the documents, or for both. */
  place: "app" | "documents" | "both";
  breaks: (text: string, key: string) => boolean;
  /** A text that breaks it, and one like it that does not. */
  wrong: string;
  right: string;
}

/**
 * The texts that a rule is about: those of the catalogue, by their keys, and the lines of the documents. A line's key is its document and
 * its beginning, so that it stays the same when other lines change.
 */
export function textsFor({ language, place }: Pick<VoiceRule, "language" | "place">): Text[] {
  const lines = documentLines(language)
    .filter(({ text }) => /\p{L}/u.test(text))
    .map(({ key, text }) => ({ key: `${key.replace(/:\d+$/, "")}: ${text.slice(0, 40)}`, text }));
  return [...(place === "documents" ? [] : readCatalogTexts(language)), ...(place === "app" ? [] : lines)];
}

export const isBackOffice = (key: string) =>
  /^(?:admin|actions|escrow\.(?:settlement|hand|difference)|toast\.work|mail\.(?:adminTask|brokenAlarm|missingAlarm|anchorAlarm|logHead))/.test(
    key,
  );
/** About the log, whose blocks are sealed. */
export const isAboutLog = (key: string) =>
  /^(?:admin\.log|admin\.ledger|proof|actions|mail\.(?:brokenAlarm|logHead)|push\.logBroken)/.test(key);
export const isAboutDispute = (key: string) => /dispute|mediat|statement|ruling/i.test(key);
export const isLegal = (key: string) => /^(?:terms|privacy)\./.test(key);
export const isButton = (key: string) =>
  /(?:^|\.)(?:button|submit|send|save|yes|no|ok|close|copy|retry|resend)$/.test(key);

/** A text without what nobody reads as words: placeholders, code, addresses, marks of a document. */
export const readable = (text: string) =>
  text
    .replaceAll(/\{\{[^}]*\}\}|`[^`]*`|https?:\S+/g, "0")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/\{#[^}]*\}/g, "");

/** The sentences of a text. A table's cells are sentences of their own. */
export const sentencesOf = (text: string) =>
  readable(text)
    .split(/(?<=[.!?…][”»)*]*)\s+|\n|\s*\|\s*/)
    .filter((sentence) => /\p{L}/u.test(sentence));

const countWords = (sentence: string) =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
export const isLonger = (words: number) => (text: string) =>
  sentencesOf(text).some((one) => countWords(one) > words);
export const hasTwoColons = (text: string) =>
  sentencesOf(text).some((one) => [...one.matchAll(/:(?=\s|$)/g)].length > 1);

/** True for texts with one of the words, whole, whatever their case. */
export const hasWord = (pattern: string) => {
  const found = new RegExp(`\\b(?:${pattern})\\b`, "i");
  return (text: string) => found.test(readable(text));
};
/** True for texts in which a word begins so. */
export const hasBeginning = (pattern: string) => {
  const found = new RegExp(`(?<!\\p{L})(?:${pattern})`, "iu");
  return (text: string) => found.test(readable(text));
};
