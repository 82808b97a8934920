import { roomLimits } from "../../constants.ts";

const { contactShown } = roomLimits;

/** Hides all of an email address but its first letter and its domain. */
export function maskEmail(email: string | null): string | null {
  const at = email?.lastIndexOf("@") ?? -1;
  if (email === null || at < 1) return null;
  const [first = ""] = email;
  return `${first}•••${email.slice(at)}`;
}

/** Hides all but the last characters of a phone number or bank account; a short one is hidden completely. */
export function maskContact(contact: string | null): string | null {
  if (contact === null || contact === "") return null;
  return `••••${contact.length > contactShown ? contact.slice(-contactShown) : ""}`;
}
