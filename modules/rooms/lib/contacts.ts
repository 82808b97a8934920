/** Hides all but the last four characters of a phone or bank account; a short one is hidden whole. */
export function masked(contact: string | null): string | null {
  if (contact === null || contact === "") return null;
  return `••••${contact.length > 4 ? contact.slice(-4) : ""}`;
}
