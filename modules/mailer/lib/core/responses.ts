import { z } from "zod";
import type { JsonView } from "#calls";
import type { KeptMail } from "../sending/sandbox-mailbox.ts";

const dateTimeSchema = z.iso.datetime();

export const keptMailSchema = z
  .object({
    id: z.int(),
    at: dateTimeSchema,
    from: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    links: z.array(z.string()),
  })
  .meta({ id: "KeptMail" }) satisfies z.ZodType<JsonView<KeptMail>>;
