import { z } from "zod";
import {
  type CustomizableTemplate,
  colorPresets,
  customizationsOf,
  defaultCustomizations,
  isCustomizable,
  testMailInput,
} from "#forms/mailer";
import { customizeEmail, type Member, sendTestEmail } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo, notFound } from "../../../server/pages/page-context.ts";
import { readForm } from "../../../server/pages/posted-forms.ts";

/** The template that an address names; throws 404 if there is none. */
export function templateNameIn(name: string | undefined): CustomizableTemplate {
  if (name === undefined || !isCustomizable(name)) throw notFound("record");
  return name;
}

const testMailSchema = testMailInput.extend({ language: z.enum(["mn", "en"], "validation.language") });

/** Handles the form of a test email: of the mail server alone, or of a saved template. */
export async function handleTestMailForm(admin: Member, body: FormData, template?: CustomizableTemplate) {
  if (!body.has("language")) body.set("language", admin.language);
  const read = readForm("test", body, testMailSchema);
  if (!read.ok) return read.answer;
  const { testEmail, language } = read.value;
  const sent = await sendTestEmail(admin, testEmail, language, template && { template });
  if (!sent.ok) return read.refuse(sent);
  const back = template === undefined ? paths.adminEmail : paths.adminEmailTemplate(template);
  return goTo(back, { kind: "success", key: "toast.admin.mailTest" });
}

/** Handles the editor's form: saves the look as a new version, or fills in a preset without saving it. */
export async function handleMailTemplateForm(admin: Member, template: CustomizableTemplate, body: FormData) {
  const preset = String(body.get("preset") ?? "");
  const scheme =
    preset === "reset"
      ? defaultCustomizations
      : Object.hasOwn(colorPresets, preset) && colorPresets[preset as keyof typeof colorPresets];
  if (scheme) {
    for (const [name, value] of Object.entries(scheme)) body.set(name, String(value));
  }
  const read = readForm("look", body, customizationsOf(template));
  if (!read.ok) return read.answer;
  if (scheme) return read.again();
  const seen = /^\d{1,9}$/.exec(String(body.get("version")))?.[0];
  const saved = await customizeEmail(admin, template, read.value, Number(seen ?? -1));
  if (!saved.ok) return read.refuse(saved);
  return goTo(paths.adminEmailTemplate(template), { kind: "success", key: "toast.admin.mailTemplate" });
}
