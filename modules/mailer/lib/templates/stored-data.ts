import { type Language, translateText } from "#locales";
import { type TemplateName, templateSchemas } from "./templates.ts";

type Data = Record<string, string | number>;

/**
 * The data of a mail in the outbox, with the values that a version before 1.0.0 did not store: such a mail names no item, and its reader's
 * role follows from the other party's.
 */
export function completeStoredData(template: TemplateName, language: Language, data: Data): Data {
  const otherIsSeller = data.other === translateText(language, "mail.them.seller");
  const added: Data = { goods: "", price: 0, role: otherIsSeller ? "buyer" : "seller" };
  const { shape } = templateSchemas[template];
  return { ...Object.fromEntries(Object.entries(added).filter(([name]) => name in shape)), ...data };
}
