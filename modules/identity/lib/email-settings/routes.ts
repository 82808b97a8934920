import { Elysia } from "elysia";
import { z } from "zod";
import {
  type CustomizableTemplate,
  type Customizations,
  customizableNames,
  strictCustomizationsOf,
  testMailInput,
} from "#forms/mailer";
import { translateText } from "#locales";
import type { Actor } from "../core/actor.ts";
import type { MailTemplate } from "../core/responses.ts";
import { replySuccess } from "../core/route-replies.ts";
import { withActor } from "../core/with-actor.ts";
import {
  customizeEmail,
  emailConfig,
  emailTemplate,
  emailTemplates,
  previewEmail,
  sendTestEmail,
} from "./email-settings.ts";
import * as calls from "./operations.ts";

const templateTypeSchema = z.enum(customizableNames, "validation.invalid");
const templateParamsSchema = z
  .record(z.string().max(40), z.union([z.string().max(2000), z.number()]))
  .optional();
const languageSchema = z.enum(["en", "mn"], "validation.language").optional();
const customizationsSchema = z.record(z.string().max(40), z.union([z.string().max(4000), z.number()]));

/** Fields for which a call may give one text for both languages. */
const bilingualFields = ["subject", "footerText", "buttonText"] as const;

type CustomizationFields = Record<string, string | number>;

/** A call's customisations merged over the saved ones; refuses VALIDATION with the invalid fields. */
async function mergeCustomizations(actor: Actor, name: CustomizableTemplate, said: CustomizationFields) {
  const now = await emailTemplate(actor, name);
  if (!now.ok) return now;
  const both = bilingualFields.flatMap((field) =>
    said[field] === undefined
      ? []
      : [[`${field}Mn`, said[field]] as const, [`${field}En`, said[field]] as const],
  );
  const rest = Object.entries(said).filter(([field]) => !bilingualFields.some((one) => one === field));
  const asked = { ...now.template.customizations, ...Object.fromEntries([...both, ...rest]) };
  const read = strictCustomizationsOf(name).safeParse(asked);
  if (read.success) return { ok: true as const, customizations: read.data satisfies Customizations };
  const fields: Record<string, string[]> = {};
  for (const { path, message } of read.error.issues) {
    const field = String(path[0] ?? "customizations");
    fields[field] = [...(fields[field] ?? []), message];
  }
  return { ok: false as const, code: "VALIDATION" as const, fields };
}

const describeTemplate = (actor: Actor, name: CustomizableTemplate) => ({
  name: translateText(actor.language, `admin.mail.template.${name}.name`),
  description: translateText(actor.language, `admin.mail.template.${name}.about`),
});

/** What administrators do with mail (specification §7, "Admin"). */
export const emailSettingsRoutes = new Elysia({ name: "identity.mail-desk" })
  .use(withActor)
  .get(
    "/api/admin/email-config",
    ({ actor }) => {
      const answer = emailConfig(actor);
      return answer.ok ? { config: answer.config } : answer;
    },
    { detail: calls.showEmailConfig },
  )
  .post(
    "/api/admin/test-email",
    async ({ actor, body }) => {
      const answer = await sendTestEmail(actor, body.testEmail, actor.language);
      return answer.ok ? replySuccess(actor, "testMailSent") : answer;
    },
    { body: testMailInput, detail: calls.sendTestMail },
  )
  .get(
    "/api/admin/email-templates",
    async ({ actor }) => {
      const answer = await emailTemplates(actor);
      if (!answer.ok) return answer;
      const { templates } = answer;
      return {
        templates: Object.fromEntries(
          templates.map(({ savedBy: _, ...one }): [CustomizableTemplate, MailTemplate] => [
            one.name,
            { ...one, ...describeTemplate(actor, one.name) },
          ]),
        ),
      };
    },
    { detail: calls.listEmailTemplates },
  )
  .post(
    "/api/admin/email-templates/preview",
    async ({ actor, body }) => {
      const { templateType: name, params } = body;
      const look = body.customizations && (await mergeCustomizations(actor, name, body.customizations));
      if (look && !look.ok) return look;
      const given = { ...(params && { params }), ...(look && { customizations: look.customizations }) };
      const answer = await previewEmail(actor, name, body.language ?? actor.language, given);
      return answer.ok ? { success: true, ...answer.mail } : answer;
    },
    {
      body: z.object({
        templateType: templateTypeSchema,
        params: templateParamsSchema,
        language: languageSchema,
        customizations: customizationsSchema.optional(),
      }),
      detail: calls.previewEmailTemplate,
    },
  )
  .post(
    "/api/admin/email-templates/test",
    async ({ actor, body }) => {
      const { templateType: template, params, testEmail } = body;
      const what = { template, ...(params && { params }) };
      const answer = await sendTestEmail(actor, testEmail, body.language ?? actor.language, what);
      return answer.ok ? replySuccess(actor, "testMailSent") : answer;
    },
    {
      body: testMailInput.extend({
        templateType: templateTypeSchema,
        params: templateParamsSchema,
        language: languageSchema,
      }),
      detail: calls.sendTestTemplate,
    },
  )
  .post(
    "/api/admin/email-templates/customize",
    async ({ actor, body }) => {
      const look = await mergeCustomizations(actor, body.templateType, body.customizations);
      if (!look.ok) return look;
      const answer = await customizeEmail(actor, body.templateType, look.customizations, body.version);
      return answer.ok ? { ...replySuccess(actor, "mailTemplateSaved"), version: answer.version } : answer;
    },
    {
      body: z.object({
        templateType: templateTypeSchema,
        customizations: customizationsSchema,
        version: z.number().int().nonnegative().optional(),
      }),
      detail: calls.customizeEmailTemplate,
    },
  );
