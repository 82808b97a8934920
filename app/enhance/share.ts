/**
 * `<button data-share="link" data-share-title="…">` opens the phone's share sheet. The button is hidden if the browser has none; the link
 * stands beside it.
 */
export function startShare(): void {
  if (!("share" in navigator)) return;
  const reveal = () => {
    for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-share]"))
      button.hidden = false;
  };
  reveal();
  document.addEventListener("parts-shown", reveal);
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-share]") : null;
    if (button === null) return;
    const { share: url = "", shareTitle: title = "" } = button.dataset;
    // Closing the sheet without sharing rejects; that is not an error.
    navigator.share({ url, title }).catch(() => {});
  });
}
