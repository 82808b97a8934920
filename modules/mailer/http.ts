import { Elysia } from "elysia";
import { z } from "zod";
import { listMail, readMail } from "./lib/mailbox.ts";

// A mail is somebody else's HTML to the page that frames it: no scripts, no forms, no origin of ours.
const POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

// These stand before the headers that every answer gets: a page of ours may frame the mail.
const headers = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "X-Frame-Options": "SAMEORIGIN",
  "Cache-Control": "no-store",
};

/** The development mailbox for pages and tests; everything in it answers NOT_FOUND without ALLOW_SANDBOX. */
export const mailerHttp = new Elysia({ name: "mailer.http" })
  .get(
    "/sandbox/mail/:id/html",
    async ({ params }) => {
      const found = await readMail(params.id);
      return found.ok ? new Response(found.mail.html, { headers }) : found;
    },
    { params: z.object({ id: z.coerce.number().int().positive() }) },
  )
  .get(
    "/sandbox/mail.json",
    async ({ query }) => {
      const found = await listMail(query);
      return found.ok ? found.mails : found;
    },
    { query: z.object({ to: z.string().max(254).optional() }) },
  );
