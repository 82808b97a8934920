/** `<button data-show="id of the input">` shows the text of a password field, and hides it again. */
export function startPassword(): void {
  const reveal = () => {
    for (const button of showButtons(document)) button.hidden = false;
  };
  reveal();
  document.addEventListener("parts-shown", reveal);
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-show]") : null;
    const input = button && inputOf(button);
    if (!input) return;
    const shown = input.type === "password";
    input.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
  });
  // A password that was left visible must not be saved by the browser as ordinary text.
  document.addEventListener("submit", ({ target }) => {
    if (!(target instanceof Element)) return;
    for (const button of showButtons(target)) inputOf(button)?.setAttribute("type", "password");
  });
}

const showButtons = (root: ParentNode) => root.querySelectorAll<HTMLElement>("[data-show]");

function inputOf(button: HTMLElement): HTMLInputElement | null {
  const input = document.getElementById(button.dataset.show ?? "");
  return input instanceof HTMLInputElement ? input : null;
}
