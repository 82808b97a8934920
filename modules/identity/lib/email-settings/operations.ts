import { z } from "zod";
import { describeCall } from "#calls";
import { mailServerSchema, mailTemplateSchema, successReplySchema } from "../core/responses.ts";

export const showEmailConfig = describeCall({
  summary: "How mail is sent",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ config: mailServerSchema }),
});

export const sendTestMail = describeCall({
  summary: "Send a trial mail",
  group: "Back office: mail",
  by: "admin",
  answers: successReplySchema,
  refuses: ["MAIL_NOT_SENT", "THROTTLED"],
});

export const listEmailTemplates = describeCall({
  summary: "The mails whose look can be changed",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ templates: z.record(z.string(), mailTemplateSchema) }),
});

export const previewEmailTemplate = describeCall({
  summary: "A mail as it would look",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ success: z.boolean(), subject: z.string(), html: z.string(), text: z.string() }),
});

export const sendTestTemplate = describeCall({
  summary: "Send a trial of one mail",
  group: "Back office: mail",
  by: "admin",
  answers: successReplySchema,
  refuses: ["MAIL_NOT_SENT", "THROTTLED"],
});

export const customizeEmailTemplate = describeCall({
  summary: "Change how a mail looks",
  group: "Back office: mail",
  by: "freshAdmin",
  answers: successReplySchema.extend({ version: z.int() }),
  refuses: ["TEMPLATE_CHANGED"],
});
