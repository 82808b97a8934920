import { defineJob } from "#db/jobs";
import { deliverMail } from "./deliver-mail.ts";

/** Tries for about ten hours, with pauses of up to five minutes; `deliverMail` itself gives up a little sooner. */
export const mailDeliveries = defineJob<{ id: number }>("mailer.deliver", ({ id }) => deliverMail(id), {
  retryLimit: 130,
});
