import { type Language, translateText } from "#locales";
import { type TemplateName, templateSchemas } from "./templates.ts";

type Data = Record<string, string | number>;

/**
 * The data of a mail in the outbox, with the values that an earlier version did not store. Such a mail names no item, its reader's role follows
 * from the other party's, and it says nothing of a check, of an account or of a time by which to act.
 */
export function completeStoredData(template: TemplateName, language: Language, data: Data): Data {
  const otherIsSeller = data.other === translateText(language, "mail.them.seller");
  const role = otherIsSeller ? "buyer" : "seller";
  const added: Data = { goods: "", price: 0, role, checked: "no", account: "", deadline: "" };
  const { shape } = templateSchemas[template];
  return { ...Object.fromEntries(Object.entries(added).filter(([name]) => name in shape)), ...data };
}
