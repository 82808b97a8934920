import { z } from "zod";
import { profileInput } from "#forms/identity";

/** Forms of the settings page besides those of the identity module. */
export const languageForm = z.object({ language: z.enum(["mn", "en"], "validation.language") });
export const themeForm = z.object({ theme: z.enum(["light", "dark"], "validation.theme") });
export const paymentForm = profileInput.pick({ phoneNumber: true, bankAccount: true });

/** A form that is only a button. */
export const pressForm = z.object({});

const settingsSections = [
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

/** A section of the settings page; its name is an anchor there. */
export type SettingsSection = (typeof settingsSections)[number];
