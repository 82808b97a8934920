import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type CustomizableTemplate, type Customizations, customizableNames } from "#forms/mailer";
import type { Language } from "#locales";
import {
  mailServer,
  previewTemplate,
  readCustomizableTemplate,
  saveCustomizations,
  sendTrialMail,
} from "#modules/mailer";
import type { MailServer } from "#views/mailer";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotAdmin, requireAdmin, requireFreshAdmin } from "../core/require-actor.ts";
import type { MailTemplate } from "../core/responses.ts";
import { findPeople } from "../core/users/people.ts";
import { mayTry } from "../login/throttles.ts";

// What administrators do with mail. This module checks the right; the mailer does the rest.

/** How mail is sent, without the password. */
export function emailConfig(actor: Actor): { ok: true; config: MailServer } | NotAdmin {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  return { ok: true, config: mailServer() };
}

/** A customisable email with what its editor needs, and the name of the administrator who saved it last. */
export type EmailTemplate = Omit<MailTemplate, "name" | "description"> & {
  name: CustomizableTemplate;
  savedBy: string | null;
};

/** One customisable template with its saved customisation. */
export async function emailTemplate(
  actor: Actor,
  name: CustomizableTemplate,
): Promise<{ ok: true; template: EmailTemplate } | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const template = await readCustomizableTemplate(name);
  const savedBy =
    template.savedBy === null
      ? undefined
      : (await findPeople(db(), [template.savedBy])).get(template.savedBy);
  return { ok: true, template: { ...template, savedBy: savedBy?.displayName ?? null } };
}

/** All customisable templates, by name. */
export async function emailTemplates(actor: Actor) {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const all = await Promise.all(customizableNames.map((name) => readCustomizableTemplate(name)));
  return { ok: true as const, templates: all };
}

/** Renders a template as a mail, with sample data and the saved customisation where none are given. */
export async function previewEmail(
  actor: Actor,
  name: CustomizableTemplate,
  language: Language,
  given: { params?: Record<string, string | number>; customizations?: Customizations } = {},
) {
  const needed = requireAdmin(actor);
  return needed.ok ? previewTemplate(name, language, given) : needed;
}

/**
 * Saves a template's customisation. `seen` is the version the form showed: refuses TEMPLATE_CHANGED if another administrator has saved
 * since; without it, the saved one is replaced. It decides what all later mails say and where their logo comes from, so it needs a fresh
 * login (REAUTH_REQUIRED).
 */
export async function customizeEmail(
  actor: Actor,
  name: CustomizableTemplate,
  customizations: Customizations,
  seen?: number,
) {
  const needed = requireFreshAdmin(actor, currentTime());
  if (!needed.ok) return needed;
  const { userId } = needed.member;
  return saveCustomizations({ ...auditAuthorOf(actor), userId }, name, customizations, seen);
}

/** Sends a test mail, or one of a template, to an address and waits for the server's reply. At most twenty an hour (THROTTLED). */
export async function sendTestEmail(
  actor: Actor,
  to: string,
  language: Language,
  what: Parameters<typeof sendTrialMail>[3] = { template: "mailTest" },
) {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const { userId } = needed.member;
  const passed = await mayTry({ "mail-test:user": String(userId) }, currentTime());
  return passed.ok ? sendTrialMail({ ...auditAuthorOf(actor), userId }, to, language, what) : passed;
}
