export type { KeptMail, MailServer } from "./lib/core/responses.ts";
export type { FailedMail } from "./lib/sending/failed-mails.ts";
