import { z } from "zod";
import { profileInput } from "#forms/identity";

/** What the pages of settings ask for beyond the forms of identity. */
export const languageForm = z.object({ language: z.enum(["mn", "en"], "validation.language") });
export const themeForm = z.object({ theme: z.enum(["light", "dark"], "validation.theme") });
export const paymentForm = profileInput.pick({ phoneNumber: true, bankAccount: true });

/** A form that is one button. */
export const pressForm = z.object({});

/** The parts of the page of settings, in their order; each is an anchor of it. */
export const settingsSections = [
  "language",
  "theme",
  "password",
  "email",
  "factor",
  "passkeys",
  "devices",
  "notifications",
  "push",
  "quiet",
  "data",
  "delete",
] as const;
export type SettingsSection = (typeof settingsSections)[number];
