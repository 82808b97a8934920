import { isPlainPress } from "../browser/plain-press.ts";
import { createTimeoutSignal } from "../browser/timeout-signal.ts";
import { parsePage } from "./parts.ts";
import { holdToasts } from "./toast-place.ts";

let opener: HTMLElement | null = null;

/** Counts what was asked for, so that a dialog that arrives after another press or after Back is not shown. */
let requests = 0;

/**
 * Dialogs that an address opens (`?dialog=`): modal over their page, opened by their links without loading it, and closed by Escape, by
 * their close link, by a press beside them and by Back. An open dialog is one entry of the history; closing it removes the entry and
 * returns the focus. Without this script the dialog is a card of the page that its address loads.
 */
export function startDialogs(): void {
  document.addEventListener("click", onClick);
  document.addEventListener("parts-shown", wakeDialog);
  addEventListener("popstate", () => {
    if (isDialogAddress(location.href)) void restoreDialog();
    else {
      requests += 1;
      removeDialog();
    }
  });
  wakeDialog();
}

/** True if an entry of the history was made for a dialog. */
export function isDialogEntry(): boolean {
  return typeof history.state === "object" && history.state !== null && "dialog" in history.state;
}

/** True if an address opens a dialog. */
export function isDialogAddress(address: string): boolean {
  return new URL(address, location.href).searchParams.has("dialog");
}

const openDialog = () => document.querySelector<HTMLDialogElement>("dialog[data-close]");

function onClick(event: MouseEvent): void {
  const { target } = event;
  if (event.defaultPrevented || !isPlainPress(event) || !(target instanceof Element)) return;
  const dialog = openDialog();
  const link = target.closest("a");
  const closes =
    dialog !== null && (link?.getAttribute("href") === dialog.dataset.close || isBeside(dialog, event));
  const opens =
    link?.origin === location.origin && link.pathname === location.pathname && isDialogAddress(link.href);
  if (closes) closeDialog(dialog);
  else if (opens && document.querySelector("[data-dialogs]") !== null) void followLink(link);
  else return;
  event.preventDefault();
}

function isBeside(dialog: HTMLElement, { target, clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}

async function followLink(link: HTMLAnchorElement): Promise<void> {
  const menu = link.closest<HTMLDetailsElement>("details[data-menu]");
  if (menu) menu.open = false;
  const isShown = await loadDialog(link.href);
  if (isShown === undefined) return;
  if (!isShown) return location.assign(link.href);
  opener = menu?.querySelector("summary") ?? link;
  history.pushState({ dialog: true }, "", link.href);
}

/** The person went back or forward to a dialog's address. Without an answer the browser loads the page, or says why it cannot. */
async function restoreDialog(): Promise<void> {
  if ((await loadDialog(location.href)) === false) location.reload();
}

/** Fetches the page that the address opens and shows its dialog; false if it has none, undefined if another request has overtaken it. */
async function loadDialog(address: string): Promise<boolean | undefined> {
  requests += 1;
  const own = requests;
  const html = await fetchPage(address).catch(() => undefined);
  if (own !== requests) return undefined;
  const page = html === undefined ? undefined : parsePage(html);
  const fresh = page?.querySelector("[data-dialogs]");
  const shown = document.querySelector("[data-dialogs]");
  if (!fresh?.querySelector("dialog") || shown === null) return false;
  shown.replaceChildren(...fresh.childNodes);
  document.dispatchEvent(new CustomEvent("parts-shown", { detail: { moved: false } }));
  return true;
}

async function fetchPage(address: string): Promise<string | undefined> {
  const response = await fetch(address, { signal: createTimeoutSignal() });
  return response.ok && !response.redirected ? await response.text() : undefined;
}

/** Makes the dialog of the page modal: the browser then keeps the focus inside. */
function wakeDialog(): void {
  const dialog = openDialog();
  if (dialog === null) return;
  if ("modal" in dialog.dataset) {
    holdToasts(dialog);
    return;
  }
  dialog.dataset.modal = "";
  dialog.removeAttribute("open");
  // Safari before 16.4 does not move a dialog that it has already drawn to the top layer. Inserting it again makes it do so.
  dialog.replaceWith(dialog);
  dialog.showModal();
  // Not the first button, which may be the one that cannot be undone.
  (dialog.querySelector<HTMLElement>("[autofocus]") ?? dialog).focus();
  holdToasts(dialog);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    closeDialog(dialog);
  });
}

function closeDialog(dialog: HTMLDialogElement): void {
  const { close = "" } = dialog.dataset;
  const isOwnEntry = isDialogEntry();
  requests += 1;
  removeDialog();
  if (isOwnEntry) history.back();
  else history.replaceState(null, "", close);
}

function removeDialog(): void {
  const dialog = openDialog();
  if (dialog === null) return;
  holdToasts(document.body);
  dialog.close();
  dialog.remove();
  const link = [...document.querySelectorAll<HTMLElement>('a[href*="dialog="]')].find(
    (one) => one.offsetParent,
  );
  (opener?.isConnected ? opener : link)?.focus({ preventScroll: true });
  opener = null;
}
