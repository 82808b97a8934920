import { config } from "#config";
import { type TemplateName, templateSchemas } from "../templates/templates.ts";

export type Address = { name: string; address: string };

/** The sender of a mail: the address for its kind, with the display name of MAIL_FROM. */
export function senderOf(template: TemplateName): Address {
  const { MAIL_ACCOUNTS, MAIL_ADMIN, MAIL_TRANSACTIONS } = config();
  const addresses = { accounts: MAIL_ACCOUNTS, admin: MAIL_ADMIN, transactions: MAIL_TRANSACTIONS };
  return { name: displayName(), address: addresses[kindOf(template)] };
}

/** The domain of Midman's Message-IDs. */
export function senderDomain(): string {
  return config().MAIL_ACCOUNTS.split("@").at(-1) ?? "midman.example";
}

function displayName(): string {
  const [, quoted, bare] = /^\s*(?:"([^"]*)"|([^<@]*?))\s*(?:<[^>]*>)?\s*$/.exec(config().MAIL_FROM) ?? [];
  return quoted || bare || "Midman";
}

const administratorTemplates: readonly TemplateName[] = [
  "adminTask",
  "brokenAlarm",
  "missingAlarm",
  "anchorAlarm",
  "logHead",
  "mailTest",
  "supportRequest",
];

function kindOf(template: TemplateName): "accounts" | "transactions" | "admin" {
  if (administratorTemplates.includes(template)) return "admin";
  if (template === "supportReceived") return "accounts";
  return "code" in templateSchemas[template].shape ? "transactions" : "accounts";
}
