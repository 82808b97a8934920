import { type DocumentName, documentOf } from "#documents";
import { actorOf, type Context } from "../../server/pages/page-context.ts";
import { facts } from "../../server/texts/document-facts.ts";

/** A published text in the reader's language with the figures in force, as its page shows it. */
export function publishedText(context: Context, name: DocumentName) {
  const { language } = actorOf(context);
  const known = facts(language);
  const date = (name === "privacy" ? known.privacyDate : known.termsDate) ?? "";
  return { ...documentOf(name, language, known), date };
}

/** The title and description of a published text's page. */
export function textMeta(text: { title: string; description: string } | undefined) {
  return [{ title: text?.title }, { name: "description", content: text?.description }];
}
