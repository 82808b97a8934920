import { Elysia } from "elysia";
import { z } from "zod";
import * as calls from "./lib/core/operations.ts";
import { listMail, readMail } from "./lib/sending/sandbox-mailbox.ts";
import { framedMailHeaders as headers } from "./lib/templates/framed-mail-headers.ts";

/** The development mailbox, for pages and tests; answers NOT_FOUND unless Midman runs as a trial. */
export const mailerRoutes = new Elysia({ name: "mailer.http" })
  .get(
    "/sandbox/mail/:id/html",
    async ({ params }) => {
      const found = await readMail(params.id);
      return found.ok ? new Response(found.mail.html, { headers }) : found;
    },
    { params: z.object({ id: z.coerce.number().int().positive() }), detail: calls.mailHtml },
  )
  .get(
    "/sandbox/mail.json",
    async ({ query }) => {
      const found = await listMail(query);
      return found.ok ? found.mails : found;
    },
    { query: z.object({ to: z.string().max(254).optional() }), detail: calls.mailboxList },
  );
