import { z } from "zod";
import { describeCall } from "#calls";
import { mailServerSchema } from "#modules/mailer";
import { mailTemplateSchema, successReplySchema } from "../core/responses.ts";
import type {
  customizeEmail,
  emailConfig,
  emailTemplate,
  emailTemplates,
  previewEmail,
  sendTestEmail,
} from "./email-settings.ts";

export const showEmailConfig = describeCall<typeof emailConfig>({
  summary: "Get the email configuration",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ config: mailServerSchema }),
});

export const sendTestMail = describeCall<typeof sendTestEmail>({
  summary: "Send a test email",
  group: "Back office: mail",
  by: "admin",
  answers: successReplySchema,
  refuses: { MAIL_NOT_SENT: true, THROTTLED: true },
});

export const listEmailTemplates = describeCall<typeof emailTemplates>({
  summary: "List the customisable email templates",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ templates: z.record(z.string(), mailTemplateSchema) }),
});

export const previewEmailTemplate = describeCall<typeof emailTemplate | typeof previewEmail>({
  summary: "Preview an email template",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ success: z.boolean(), subject: z.string(), html: z.string(), text: z.string() }),
});

export const sendTestTemplate = describeCall<typeof sendTestEmail>({
  summary: "Send a test email from a template",
  group: "Back office: mail",
  by: "admin",
  answers: successReplySchema,
  refuses: { MAIL_NOT_SENT: true, THROTTLED: true },
});

export const customizeEmailTemplate = describeCall<typeof customizeEmail>({
  summary: "Customise an email template",
  group: "Back office: mail",
  by: "freshAdmin",
  answers: successReplySchema.extend({ version: z.int() }),
  refuses: { TEMPLATE_CHANGED: true },
});
