import { type DocumentName, getPublishedDocument } from "#documents";
import { actorOf, type PageContext } from "../../server/pages/page-context.ts";
import { readDocumentFacts } from "../../server/texts/document-facts.ts";

/** A published text in the reader's language with the figures in force. */
export function publishedText(context: PageContext, name: DocumentName) {
  const { language } = actorOf(context);
  const known = readDocumentFacts(language);
  const date = (name === "privacy" ? known.privacyDate : known.termsDate) ?? "";
  return { ...getPublishedDocument(name, language, known), date };
}

/** The title and description of a published text's page. */
export function textMeta(text: { title: string; description: string } | undefined) {
  return [{ title: text?.title }, { name: "description", content: text?.description }];
}
