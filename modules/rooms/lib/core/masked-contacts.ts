import { maskNumber } from "#format";

/** Hides all of an email address but its first letter and its domain. */
export function maskEmail(email: string | null): string | null {
  const at = email?.lastIndexOf("@") ?? -1;
  if (email === null || at < 1) return null;
  const [first = ""] = email;
  return `${first}•••${email.slice(at)}`;
}

/** Hides all but the last characters of a phone number or bank account. */
export function maskContact(contact: string | null): string | null {
  return contact === null || contact === "" ? null : maskNumber(contact);
}
