/**
 * The dialogs of the back office come in `<template data-desk>`, so that a page without scripts holds nothing of them. `[data-opens]`
 * names the one that a button opens; the button is hidden without script. `[data-shuts]` and a press beside a dialog close it.
 */
export function startDialogs(): void {
  const template = document.querySelector<HTMLTemplateElement>("template[data-desk]");
  if (template === null) return;
  document.body.append(template.content.cloneNode(true));
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-opens]")) button.hidden = false;
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const opens = target.closest<HTMLElement>("[data-opens]")?.dataset.opens;
    if (opens !== undefined) openDialog(opens);
    // The dialog itself is pressed only outside of what it holds.
    else if (target.matches("dialog[open]") || target.closest("[data-shuts]"))
      target.closest("dialog")?.close();
  });
  // A page that comes back as it was left has no dialog open.
  addEventListener("pagehide", () => document.querySelector<HTMLDialogElement>("dialog[open]")?.close());
}

/** Opens one of them, unless one is open already. */
export function openDialog(id: string): boolean {
  const dialog = document.getElementById(id);
  if (!(dialog instanceof HTMLDialogElement) || document.querySelector("dialog[open]")) return false;
  dialog.showModal();
  return true;
}
