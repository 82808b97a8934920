import { z } from "zod";
import { call } from "#calls";
import { done, mailServer, mailTemplate } from "../core/responses.ts";

export const config = call({
  summary: "How mail is sent",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ config: mailServer }),
});

export const testMail = call({
  summary: "Send a trial mail",
  group: "Back office: mail",
  by: "admin",
  answers: done,
  refuses: ["MAIL_NOT_SENT", "THROTTLED"],
});

export const templates = call({
  summary: "The mails whose look can be changed",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ templates: z.record(z.string(), mailTemplate) }),
});

export const preview = call({
  summary: "A mail as it would look",
  group: "Back office: mail",
  by: "admin",
  answers: z.object({ success: z.boolean(), subject: z.string(), html: z.string(), text: z.string() }),
});

export const testTemplate = call({
  summary: "Send a trial of one mail",
  group: "Back office: mail",
  by: "admin",
  answers: done,
  refuses: ["MAIL_NOT_SENT", "THROTTLED"],
});

export const customize = call({
  summary: "Change how a mail looks",
  group: "Back office: mail",
  by: "freshAdmin",
  answers: done.extend({ version: z.int() }),
  refuses: ["TEMPLATE_CHANGED"],
});
