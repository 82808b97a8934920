const draftKeyPrefix = "draft:";

/**
 * Shows a person's unsent text at its room in the list (`<span data-draft-of="<room>" data-draft-by="<person>" data-draft-word="Draft:">`).
 * Signing out on any page deletes all drafts, so that the next person at this device finds none.
 */
export function startDrafts(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-draft-of][data-draft-by]")) {
    const { draftOf, draftBy, draftWord = "" } = place.dataset;
    const text = tryStorage((storage) => storage.getItem(`${draftKeyPrefix}${draftBy}:${draftOf}`)) ?? "";
    place.textContent = text === "" ? "" : `${draftWord} ${text}`;
  }
  document.addEventListener("submit", ({ target }) => {
    const isSignOut =
      target instanceof HTMLFormElement && new URL(target.action, location.href).pathname === "/logout";
    if (!isSignOut) return;
    tryStorage((storage) => {
      for (const key of Object.keys(storage)) if (key.startsWith(draftKeyPrefix)) storage.removeItem(key);
    });
  });
}

/** Undefined where the browser's storage is unavailable. */
function tryStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
