export { dressedTemplate, type MailServer, mailServer, previewTemplate, trySending } from "./lib/desk.ts";
export { type FailedMail, failedMails, settleFailedMail } from "./lib/failed.ts";
export { framedMail } from "./lib/framed.ts";
export { customize } from "./lib/look/versions.ts";
export { type KeptMail, listMail, readMail } from "./lib/mailbox.ts";
export {
  forgetEveryPushDevice,
  forgetPushDevices,
  keepPushDevice,
  movePushDevice,
  pushDevicesOf,
  removePushDevice,
} from "./lib/push/devices.ts";
export { isAboutMoney, type PushEvent } from "./lib/push/events.ts";
export { forgetPushes, type Occasion, push } from "./lib/push/push.ts";
export { registerPushReader } from "./lib/push/reader.ts";
export { replaceLostPushKey, resealPushKey, vapidPublicKey } from "./lib/push/vapid.ts";
export { forgetMails } from "./lib/retention.ts";
export { type Letter, type Mail, send } from "./lib/send.ts";
export { mailServerFails } from "./lib/smtp.ts";
export { startMailer, stopMailer } from "./lib/start.ts";
export { type TemplateData, type TemplateName, templateNames } from "./lib/templates.ts";
export { undeliveredSince } from "./lib/undelivered.ts";
