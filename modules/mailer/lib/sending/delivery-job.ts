import { defineJob } from "#db/jobs";
import { deliver } from "./deliver-mail.ts";

/** Tries for about ten hours, with pauses of up to five minutes; `deliver` itself gives up a little sooner. */
export const deliveries = defineJob<{ id: number }>("mailer.deliver", ({ id }) => deliver(id), {
  retryLimit: 130,
});
