import { z } from "zod";
import type { Sent } from "#calls";
import type { KeptMail } from "../sending/sandbox-mailbox.ts";

const moment = z.iso.datetime();

export const keptMail = z
  .object({
    id: z.int(),
    at: moment,
    from: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    links: z.array(z.string()),
  })
  .meta({ id: "KeptMail" }) satisfies z.ZodType<Sent<KeptMail>>;
