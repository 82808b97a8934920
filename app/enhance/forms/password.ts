/** `<button data-show="id of the input">` shows the text of a password field, and hides it again. */
export function startPassword(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-show]")) {
    const input = document.getElementById(button.dataset.show ?? "");
    if (!(input instanceof HTMLInputElement)) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      const shown = input.type === "password";
      input.type = shown ? "text" : "password";
      button.ariaPressed = String(shown);
    });
    // A password that was left visible must not be saved by the browser as ordinary text.
    input.form?.addEventListener("submit", () => {
      input.type = "password";
    });
  }
}
