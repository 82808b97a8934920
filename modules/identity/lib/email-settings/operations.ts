import { z } from "zod";
import { describeCall } from "#calls";
import { mailServerSchema, mailTemplateSchema, successReplySchema } from "../core/responses.ts";

export const showEmailConfig = describeCall({
  summary: "Get the mail configuration",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ config: mailServerSchema }),
});

export const sendTestMail = describeCall({
  summary: "Send a test mail",
  group: "Back office: mail",
  by: "admin",
  answers: successReplySchema,
  refuses: ["MAIL_NOT_SENT", "THROTTLED"],
});

export const listEmailTemplates = describeCall({
  summary: "List the customisable mail templates",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ templates: z.record(z.string(), mailTemplateSchema) }),
});

export const previewEmailTemplate = describeCall({
  summary: "Preview a mail template",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ success: z.boolean(), subject: z.string(), html: z.string(), text: z.string() }),
});

export const sendTestTemplate = describeCall({
  summary: "Send a test mail of one template",
  group: "Back office: mail",
  by: "admin",
  answers: successReplySchema,
  refuses: ["MAIL_NOT_SENT", "THROTTLED"],
});

export const customizeEmailTemplate = describeCall({
  summary: "Customise a mail template",
  group: "Back office: mail",
  by: "freshAdmin",
  answers: successReplySchema.extend({ version: z.int() }),
  refuses: ["TEMPLATE_CHANGED"],
});
