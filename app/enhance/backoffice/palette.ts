import { openDialog } from "./dialogs.ts";
import { pressedKey } from "./pressed-key.ts";

/**
 * "Go to …" of the back office (Ctrl+K, ⌘K): a field that narrows a list. An option leads to `data-to`; one with `data-asks` opens a page's
 * own search for the typed text. The focus stays in the field, which names the option that Enter takes (`aria-activedescendant`).
 */
export function startPalette(): void {
  const dialog = document.querySelector<HTMLDialogElement>("#backoffice-palette");
  const input = dialog?.querySelector("input");
  if (dialog == null || input == null) return;
  const options = [...dialog.querySelectorAll<HTMLElement>("[role=option]")];
  const shown = () => options.filter(({ hidden }) => !hidden);
  const marked = () => options.find(({ ariaSelected }) => ariaSelected === "true");
  const mark = (chosen: HTMLElement | undefined) => {
    for (const option of options) option.ariaSelected = String(option === chosen);
    input.setAttribute("aria-activedescendant", chosen?.id ?? "");
    chosen?.scrollIntoView({ block: "nearest" });
  };
  const narrow = () => {
    const words = input.value.trim();
    for (const option of options) option.hidden = !matchOption(option, words);
    mark(shown()[0]);
  };
  const move = (by: 1 | -1) => {
    const all = shown();
    const at = all.findIndex(({ ariaSelected }) => ariaSelected === "true");
    mark(all[(at + by + all.length) % all.length]);
  };
  const take = (option: HTMLElement | undefined) => {
    if (option === undefined) return;
    const { to, asks } = option.dataset;
    location.assign(to ?? `${asks}${encodeURIComponent(input.value.trim())}`);
    dialog.close();
  };
  input.addEventListener("input", narrow);
  dialog.addEventListener("click", ({ target }) => {
    if (target instanceof Element) take(target.closest<HTMLElement>("[role=option]") ?? undefined);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter") take(marked());
    else return;
    event.preventDefault();
  });
  const begin = () => {
    input.value = "";
    narrow();
  };
  begin();
  dialog.addEventListener("close", begin);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || pressedKey(event) !== "k")
      return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else openDialog(dialog.id);
  });
}

/** A transaction code, or its beginning: only transactions have one. */
const transactionCodePrefix = /^MM-/i;

function matchOption(option: HTMLElement, words: string): boolean {
  const slot = option.querySelector("[data-words]");
  if (slot === null) return (option.textContent ?? "").toLowerCase().includes(words.toLowerCase());
  slot.textContent = words;
  return words !== "" && (!transactionCodePrefix.test(words) || "codes" in option.dataset);
}
