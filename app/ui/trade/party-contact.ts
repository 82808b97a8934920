import type { PartyContact } from "./types.ts";

/** Whether there is anything to show of what a party has shared. */
export function hasVisibleDetails(contact: PartyContact): boolean {
  return Object.values(contact).some((value) => typeof value === "string");
}

/** Whether a party has shared anything, even if it was erased since. */
export function hasEverSharedDetails(contact: PartyContact): boolean {
  return contact.erased || hasVisibleDetails(contact);
}

/** The text that stands where a party's details would: why there are none. */
export function absenceKey(contact: PartyContact, over: boolean) {
  if (contact.erased) return "info.erased";
  return over ? "info.notGiven" : "info.notProvided";
}
