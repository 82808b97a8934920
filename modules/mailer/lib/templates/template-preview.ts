import { config } from "#config";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import type { Language } from "#locales";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import type { MailServer } from "../core/responses.ts";
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

/** The mail server's settings as administrators see them: never the password. */
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

/** A customisable mail with what its editor needs: the variables of its texts, and sample data for the preview. */
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
 * Renders a mail with these values instead of the sample's, and with these customisations; with the current ones when `customizations` is
 * omitted. Refuses VALIDATION if the values do not fit the template.
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
 * Sends one test mail at once, in the same way as every other mail but without retries. Refuses MAIL_NOT_SENT if the server does not accept
 * it (the reason is in the outbox), and VALIDATION if the values do not fit the template.
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
