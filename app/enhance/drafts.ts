/**
 * Deletes all drafts, and what is kept for this tab, when somebody signs out, so that the next person at this device finds none. Repeats
 * the key of `storedDraft` and its deletion, because that module would put the scripts of a public page over their budget.
 */
export function startDrafts(): void {
  document.addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.action.endsWith("/logout")) return;
    try {
      for (const key of Object.keys(localStorage))
        if (key.startsWith("midman-draft:")) localStorage.removeItem(key);
      sessionStorage.clear();
    } catch {
      // The browser refuses its storage, and has kept nothing.
    }
  });
}
