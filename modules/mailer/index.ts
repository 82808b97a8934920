export { type KeptMail, listMail, readMail } from "./lib/mailbox.ts";
export { type Letter, type Mail, send } from "./lib/send.ts";
export { startMailer, stopMailer } from "./lib/start.ts";
export { type TemplateData, type TemplateName, templateNames } from "./lib/templates.ts";
