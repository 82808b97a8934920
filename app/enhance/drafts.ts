import { dropDraftsAtSignOut, dropForeignDrafts, storedDraft } from "./browser/stored-drafts.ts";

/**
 * Shows a person's unsent text at its room in the list (`<span data-draft-of="<room>" data-draft-by="<person>" data-draft-word="Draft:">`).
 * Signing out on any page deletes all drafts, and the list those of everybody else, so that the next person at this device finds none.
 */
export function startDrafts(): void {
  showDrafts();
  document.addEventListener("rooms-swapped", showDrafts);
  dropDraftsAtSignOut();
}

function showDrafts(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-draft-of][data-draft-by]")) {
    const { draftOf = "", draftBy = "", draftWord = "" } = place.dataset;
    dropForeignDrafts(draftBy, Date.now());
    const text = storedDraft(draftBy, draftOf).read(Date.now());
    place.textContent = text === "" ? "" : `${draftWord} ${text}`;
  }
}
