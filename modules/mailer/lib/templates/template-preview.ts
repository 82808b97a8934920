import { config } from "#config";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import type { Language } from "#locales";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import {
  type CustomizableTemplate,
  type Customizations,
  customizableTemplates,
} from "../look/customizations.ts";
import { readTemplateVersion } from "../look/template-versions.ts";
import { deliverOnce } from "../sending/deliver-mail.ts";
import { insertWithoutDelivery, type Letter } from "../sending/send-mail.ts";
import { type RenderedMail, renderMail } from "./render-mail.ts";
import { templateSamples } from "./template-samples.ts";
import { type TemplateData, templateSchemas } from "./templates.ts";

/** Where mail goes out, without any secret. `host`, `port` and `user` are null while there is no server. */
export type MailServer = {
  configured: boolean;
  host: string | null;
  port: number | null;
  user: string | null;
  addresses: { admin: string; transaction: string; account: string };
};

/** How mail is sent, as an administrator may see it: never the password. */
export function mailServer(): MailServer {
  const { SMTP_URL, MAIL_ADMIN, MAIL_TRANSACTIONS, MAIL_ACCOUNTS } = config();
  const url = SMTP_URL === undefined ? null : new URL(SMTP_URL);
  const standardPort = url?.protocol === "smtps:" ? 465 : 587;
  return {
    configured: url !== null,
    host: url?.hostname ?? null,
    port: url && (Number(url.port) || standardPort),
    user: url?.username ? decodeURIComponent(url.username) : null,
    addresses: { admin: MAIL_ADMIN, transaction: MAIL_TRANSACTIONS, account: MAIL_ACCOUNTS },
  };
}

/** A mail that may be dressed, with what an editor needs: the values a text may name, and data to look at it with. */
export async function readCustomizableTemplate<Name extends CustomizableTemplate>(name: Name) {
  const sample: TemplateData[Name] = templateSamples[name];
  return {
    name,
    variables: [...customizableTemplates[name]],
    defaultParams: sample,
    ...(await readTemplateVersion(name)),
  };
}

/**
 * A mail as it would look with these values in place of the sample's, and dressed so; as it stands when `customizations` is
 * left out. VALIDATION when the values are not the template's.
 */
export async function previewTemplate(
  name: CustomizableTemplate,
  language: Language,
  given: { params?: Record<string, string | number>; customizations?: Customizations } = {},
): Promise<{ ok: true; mail: RenderedMail } | { ok: false; code: "VALIDATION" }> {
  const data = templateSchemas[name].safeParse({ ...templateSamples[name], ...given.params });
  if (!data.success) return { ok: false, code: "VALIDATION" };
  const dress = given.customizations ?? (await readTemplateVersion(name)).customizations;
  return { ok: true, mail: renderMail(name, language, data.data, dress) };
}

/**
 * Sends one mail at once and by the same way as every other, as a trial: it is never tried a second time. MAIL_NOT_SENT when
 * the server does not take it; the reason is in the outbox. VALIDATION when the values are not the template's.
 */
export async function sendTrialMail(
  by: AuditActor & { userId: number },
  to: string,
  language: Language,
  what:
    | { template: "mailTest" }
    | { template: CustomizableTemplate; params?: Record<string, string | number> },
): Promise<{ ok: true } | { ok: false; code: "MAIL_NOT_SENT" | "VALIDATION" }> {
  const values = "params" in what ? what.params : {};
  const data = templateSchemas[what.template].safeParse({ ...templateSamples[what.template], ...values });
  if (!data.success) return { ok: false, code: "VALIDATION" };
  const letter = { template: what.template, data: data.data } as Letter;
  const at = currentTime();
  const id = await runInTransaction(async (tx) => {
    const queued = await insertWithoutDelivery(tx, { ...letter, to, language, userId: by.userId });
    await recordAuditEntry(tx, {
      by,
      action: "mail_test_sent",
      at,
      subject: { kind: "mail", id: queued },
      data: { template: what.template },
    });
    return queued;
  });
  return (await deliverOnce(id)) ? { ok: true } : { ok: false, code: "MAIL_NOT_SENT" };
}
