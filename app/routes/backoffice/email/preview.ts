import { templateNameIn } from "#app/routes/backoffice/email/template-actions";
import { postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { readForm } from "#app/server/pages/posted-forms";
import { type CustomizableTemplate, type Customizations, customizationsOf } from "#forms/mailer";
import { type Language, translateText } from "#locales";
import { type Member, previewEmail } from "#modules/identity";
import { framedMailHeaders } from "#modules/mailer";
import type { Route } from "./+types/preview.ts";

/** Renders the saved template; the editor's frame shows this first. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  return renderPreview(admin, templateNameIn(params.template), new URL(request.url).searchParams.get("show"));
}

/** Renders a template with the values of the editor's form; nothing is saved. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  const template = templateNameIn(params.template);
  const body = await postedForm(request);
  const read = readForm("look", body, customizationsOf(template));
  if (read.ok) return renderPreview(admin, template, body.get("show"), read.value);
  const wrong = Object.values(read.answer.data.result.error ?? {}).flatMap((messages) => messages ?? []);
  const said = [...new Set(wrong)].map((key) => translateText(admin.language, key));
  return plainTextFrame(
    ["admin.mail.notShown", ...said]
      .map((one, at) => (at === 0 ? translateText(admin.language, one) : one))
      .join("\n\n"),
    422,
  );
}

/** Renders the email in Mongolian, in English, or as plain text in the administrator's language. */
async function renderPreview(
  admin: Member,
  template: CustomizableTemplate,
  show: unknown,
  customizations?: Customizations,
) {
  const language: Language = show === "mn" || show === "en" ? show : admin.language;
  const preview = await previewEmail(admin, template, language, customizations && { customizations });
  if (!preview.ok) throw new Error(`mail preview: ${preview.code}`);
  const { html, text: letters, subject } = preview.mail;
  return show === "text"
    ? plainTextFrame(`${subject}\n\n${letters}`, 200)
    : new Response(html, { headers: framedMailHeaders });
}

/** A plain-text response for the frame. */
function plainTextFrame(letters: string, status: number): Response {
  return new Response(letters, {
    status,
    headers: { ...framedMailHeaders, "Content-Type": "text/plain; charset=utf-8" },
  });
}
