import { z } from "zod";
import { defineJob } from "#db/jobs";
import { deliverMail } from "./deliver-mail.ts";

/** Retries for about ten hours, with pauses of up to five minutes; `deliverMail` gives up a little earlier. */
export const mailDeliveries = defineJob(
  "mailer.deliver",
  z.object({ id: z.int() }),
  ({ id }) => deliverMail(id),
  {
    retryLimit: 130,
  },
);
