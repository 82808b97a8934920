import { z } from "zod";
import { dateTimeSchema } from "#calls";

/** An email in the development mailbox; `links` are the URLs in its text, in order. */
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
  .meta({ id: "KeptMail" });
export type KeptMail = z.output<typeof keptMailSchema>;

/** The mail server's settings without any secret. `host`, `port` and `user` are null if none is configured. */
export const mailServerSchema = z
  .object({
    configured: z.boolean(),
    host: z.string().nullable(),
    port: z.int().nullable(),
    user: z.string().nullable(),
    addresses: z.object({ admin: z.string(), transaction: z.string(), account: z.string() }),
  })
  .meta({ id: "MailServer" });
export type MailServer = z.output<typeof mailServerSchema>;
