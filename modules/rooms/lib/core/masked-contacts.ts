/** Hides all of an e-mail address but its first letter and its domain. */
export function maskEmail(email: string | null): string | null {
  const at = email?.lastIndexOf("@") ?? -1;
  if (email === null || at < 1) return null;
  const [first = ""] = email;
  return `${first}•••${email.slice(at)}`;
}

/** Hides all but the last four characters of a phone or bank account; a short one is hidden whole. */
export function maskContact(contact: string | null): string | null {
  if (contact === null || contact === "") return null;
  return `••••${contact.length > 4 ? contact.slice(-4) : ""}`;
}
