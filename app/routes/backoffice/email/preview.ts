import { dressedIn } from "#app/routes/backoffice/email/template-actions";
import { adminOnly, postedForm } from "#app/server/pages/page-context";
import { readForm } from "#app/server/pages/posted-forms";
import { type Customizations, customizationsOf, type DressedName } from "#forms/mailer";
import { type Language, text } from "#locales";
import { type Member, previewEmail } from "#modules/identity";
import { framedMail } from "#modules/mailer";
import type { Route } from "./+types/preview.ts";

/** A template as it is saved: what the editor's frame first shows. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = adminOnly(context, request);
  return shown(admin, dressedIn(params.template), new URL(request.url).searchParams.get("show"));
}

/** A template as the editor's form would have it; nothing is saved. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = adminOnly(context, request);
  const template = dressedIn(params.template);
  const body = await postedForm(request);
  const read = readForm("look", body, customizationsOf(template));
  if (read.ok) return shown(admin, template, body.get("show"), read.value);
  const wrong = Object.values(read.answer.data.result.error ?? {}).flatMap((messages) => messages ?? []);
  const said = [...new Set(wrong)].map((key) => text(admin.language, key));
  return framed(
    ["admin.mail.notShown", ...said]
      .map((one, at) => (at === 0 ? text(admin.language, one) : one))
      .join("\n\n"),
    422,
  );
}

/** In Mongolian, in English, or as the letters alone of who asks for them. */
async function shown(admin: Member, template: DressedName, show: unknown, customizations?: Customizations) {
  const language: Language = show === "mn" || show === "en" ? show : admin.language;
  const preview = await previewEmail(admin, template, language, customizations && { customizations });
  if (!preview.ok) throw new Error(`mail preview: ${preview.code}`);
  const { html, text: letters, subject } = preview.mail;
  return show === "text"
    ? framed(`${subject}\n\n${letters}`, 200)
    : new Response(html, { headers: framedMail });
}

/** Plain letters in the frame. */
function framed(letters: string, status: number): Response {
  return new Response(letters, {
    status,
    headers: { ...framedMail, "Content-Type": "text/plain; charset=utf-8" },
  });
}
