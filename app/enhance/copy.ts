/**
 * `<button data-copy="text" data-copied="Copied">` copies the text and confirms it. The button is hidden without script, since the text
 * beside it can be selected.
 */
export function startCopy(): void {
  const reveal = () => {
    for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]"))
      button.hidden = false;
  };
  reveal();
  document.addEventListener("parts-shown", reveal);
  document.addEventListener("click", async (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLButtonElement>("[data-copy]") : null;
    if (button === null) return;
    await navigator.clipboard.writeText(button.dataset.copy ?? "");
    const before = button.textContent;
    button.textContent = button.dataset.copied ?? before;
    setTimeout(() => {
      button.textContent = before;
    }, 2_000);
  });
}
