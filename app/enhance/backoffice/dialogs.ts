/**
 * The dialogs of the back office come in `<template data-backoffice>`, so a page without scripts does not contain them. `[data-opens]` names the
 * dialog that a button opens; the button is hidden without script. `[data-shuts]` and a click outside a dialog close it.
 */
export function startDialogs(): void {
  const template = document.querySelector<HTMLTemplateElement>("template[data-backoffice]");
  if (template === null) return;
  document.body.append(template.content.cloneNode(true));
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-opens]")) button.hidden = false;
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const opens = target.closest<HTMLElement>("[data-opens]")?.dataset.opens;
    if (opens !== undefined) openDialog(opens);
    // A click whose target is the dialog element itself is outside its content.
    else if (target.matches("dialog[open]") || target.closest("[data-shuts]"))
      target.closest("dialog")?.close();
  });
  // A page that the browser restores from its cache must not have a dialog open.
  addEventListener("pagehide", () => document.querySelector<HTMLDialogElement>("dialog[open]")?.close());
}

/** Opens a dialog and returns true; returns false if one is open already or the id is not a dialog's. */
export function openDialog(id: string): boolean {
  const dialog = document.getElementById(id);
  if (!(dialog instanceof HTMLDialogElement) || document.querySelector("dialog[open]")) return false;
  dialog.showModal();
  return true;
}
