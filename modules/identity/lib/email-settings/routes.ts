import { Elysia } from "elysia";
import { z } from "zod";
import {
  type Customizations,
  type DressedName,
  dressedNames,
  strictCustomizationsOf,
  testMailInput,
} from "#forms/mailer";
import { text } from "#locales";
import type { Actor } from "../core/actor.ts";
import { done } from "../core/route-words.ts";
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

const templateType = z.enum(dressedNames, "validation.invalid");
const params = z.record(z.string().max(40), z.union([z.string().max(2000), z.number()])).optional();
const language = z.enum(["en", "mn"], "validation.language").optional();
const customizations = z.record(z.string().max(40), z.union([z.string().max(4000), z.number()]));

/** One text for both languages is said once. */
const forBoth = ["subject", "footerText", "buttonText"] as const;

type Said = Record<string, string | number>;

/** What a call says of a look, over what stands; refused by the fields that are wrong. */
async function wanted(actor: Actor, name: DressedName, said: Said) {
  const now = await emailTemplate(actor, name);
  if (!now.ok) return now;
  const both = forBoth.flatMap((field) =>
    said[field] === undefined
      ? []
      : [[`${field}Mn`, said[field]] as const, [`${field}En`, said[field]] as const],
  );
  const rest = Object.entries(said).filter(([field]) => !forBoth.some((one) => one === field));
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

const described = (actor: Actor, name: DressedName) => ({
  name: text(actor.language, `admin.mail.template.${name}.name`),
  description: text(actor.language, `admin.mail.template.${name}.about`),
});

/** What administrators do with mail (specification §7, "Admin"). */
export const mailDeskHttp = new Elysia({ name: "identity.mail-desk" })
  .use(withActor)
  .get(
    "/api/admin/email-config",
    ({ actor }) => {
      const answer = emailConfig(actor);
      return answer.ok ? { config: answer.config } : answer;
    },
    { detail: calls.config },
  )
  .post(
    "/api/admin/test-email",
    async ({ actor, body }) => {
      const answer = await sendTestEmail(actor, body.testEmail, actor.language);
      return answer.ok ? done(actor, "testMailSent") : answer;
    },
    { body: testMailInput, detail: calls.testMail },
  )
  .get(
    "/api/admin/email-templates",
    async ({ actor }) => {
      const answer = await emailTemplates(actor);
      if (!answer.ok) return answer;
      const { templates } = answer;
      return {
        templates: Object.fromEntries(
          templates.map(({ name, savedBy: _, ...one }) => [name, { ...one, ...described(actor, name) }]),
        ),
      };
    },
    { detail: calls.templates },
  )
  .post(
    "/api/admin/email-templates/preview",
    async ({ actor, body }) => {
      const { templateType: name, params } = body;
      const look = body.customizations && (await wanted(actor, name, body.customizations));
      if (look && !look.ok) return look;
      const given = { ...(params && { params }), ...(look && { customizations: look.customizations }) };
      const answer = await previewEmail(actor, name, body.language ?? actor.language, given);
      return answer.ok ? { success: true, ...answer.mail } : answer;
    },
    {
      body: z.object({ templateType, params, language, customizations: customizations.optional() }),
      detail: calls.preview,
    },
  )
  .post(
    "/api/admin/email-templates/test",
    async ({ actor, body }) => {
      const { templateType: template, params, testEmail } = body;
      const what = { template, ...(params && { params }) };
      const answer = await sendTestEmail(actor, testEmail, body.language ?? actor.language, what);
      return answer.ok ? done(actor, "testMailSent") : answer;
    },
    { body: testMailInput.extend({ templateType, params, language }), detail: calls.testTemplate },
  )
  .post(
    "/api/admin/email-templates/customize",
    async ({ actor, body }) => {
      const look = await wanted(actor, body.templateType, body.customizations);
      if (!look.ok) return look;
      const answer = await customizeEmail(actor, body.templateType, look.customizations, body.version);
      return answer.ok ? { ...done(actor, "mailTemplateSaved"), version: answer.version } : answer;
    },
    {
      body: z.object({ templateType, customizations, version: z.number().int().nonnegative().optional() }),
      detail: calls.customize,
    },
  );
