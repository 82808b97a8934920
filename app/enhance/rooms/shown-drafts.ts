import { dropForeignDrafts, storedDraft } from "../browser/stored-drafts.ts";

/**
 * Fills the places of drafts in a list of rooms (`<span data-draft-of="<room>" data-draft-by="<person>" data-draft-word="Draft:">`), and
 * deletes the drafts of everybody else.
 */
export function showDrafts(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-draft-of][data-draft-by]")) {
    const { draftOf = "", draftBy = "", draftWord = "" } = place.dataset;
    dropForeignDrafts(draftBy, Date.now());
    const text = storedDraft(draftBy, draftOf).read(Date.now());
    place.textContent = text === "" ? "" : `${draftWord} ${text}`;
  }
}
