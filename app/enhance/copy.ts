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
    const { copied = "" } = button.dataset;
    // A second press while it says so would make that the button's own label.
    if (button.textContent === copied) return;
    const before = [...button.childNodes];
    button.textContent = copied;
    setTimeout(() => button.replaceChildren(...before), 2_000);
  });
}
