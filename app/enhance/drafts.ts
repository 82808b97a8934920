/** Signing out on any page deletes all drafts (`storedDraft`), so that the next person at this device finds none. */
export function startDrafts(): void {
  document.addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.action.endsWith("/logout")) return;
    try {
      for (const key of Object.keys(localStorage))
        if (key.startsWith("midman-draft:")) localStorage.removeItem(key);
    } catch {
      // The browser refuses its storage, and has kept nothing.
    }
  });
}
