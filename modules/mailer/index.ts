export { forgetMails } from "./lib/core/erase-old-mails.ts";
export { mailServerSchema } from "./lib/core/responses.ts";
export { startMailer, stopMailer } from "./lib/core/start.ts";
export { saveCustomizations } from "./lib/look/template-versions.ts";
export {
  forgetEveryPushDevice,
  forgetPushDevices,
  keepPushDevice,
  movePushDevice,
  pushDevicesOf,
  removePushDevice,
} from "./lib/push/push-devices.ts";
export { isAboutMoney, type PushEvent } from "./lib/push/push-events.ts";
export { registerPushReader } from "./lib/push/push-reader.ts";
export { forgetPushes, type Occasion, queuePush } from "./lib/push/queue-push.ts";
export { replaceLostPushKey, resealPushKey, vapidPublicKey } from "./lib/push/vapid-keys.ts";
export { type FailedMail, failedMails, settleFailedMail } from "./lib/sending/failed-mails.ts";
export { listMail, readMail } from "./lib/sending/sandbox-mailbox.ts";
export { type Letter, type Mail, sendMail } from "./lib/sending/send-mail.ts";
export { checkMailServer } from "./lib/sending/smtp-server.ts";
export { undeliveredSince } from "./lib/sending/undelivered-mails.ts";
export { framedMailHeaders } from "./lib/templates/framed-mail-headers.ts";
export {
  mailServer,
  previewTemplate,
  readCustomizableTemplate,
  sendTrialMail,
} from "./lib/templates/template-preview.ts";
export { type TemplateData, type TemplateName, templateNames } from "./lib/templates/templates.ts";
