/** `<button data-print>` prints the page; the button is hidden without script. */
export function startPrint(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
}
