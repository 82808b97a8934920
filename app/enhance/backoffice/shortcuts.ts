import { readStored, writeStored } from "../browser/browser-storage.ts";
import { openDialog } from "./dialogs.ts";
import { pressedKey } from "./pressed-key.ts";

const shortcutsStorageKey = "midman-keys";

/**
 * Single-key shortcuts of the back office: `j` and `k` focus the main link of the next and the previous `[data-row]`, so that Enter works
 * as the browser's own; `/` focuses the field of the page's `<search>`; `?` lists the shortcuts. They are ignored while the person types,
 * while a modifier key is held, and when the person has turned them off (WCAG 2.1.4).
 */
export function startShortcuts(): void {
  const choice = document.querySelector<HTMLInputElement>("[data-keys-on]");
  if (choice === null) return;
  choice.checked = areShortcutsOn();
  choice.addEventListener("change", () => saveShortcutsOn(choice.checked));
  const acts: Record<string, () => boolean> = {
    j: () => moveRowFocus(1),
    k: () => moveRowFocus(-1),
    "/": focusSearchField,
    "?": () => openDialog("shortcut-help"),
  };
  document.addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      isKeyForPage(event.target)
    )
      return;
    const act = acts[pressedKey(event)];
    if (act !== undefined && areShortcutsOn() && act()) event.preventDefault();
  });
}

/** True if the key belongs to a field that has the focus, or to an open dialog. */
function isKeyForPage(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]")) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}

function moveRowFocus(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")].filter(
    (row) => row.getClientRects().length > 0,
  );
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
  if (row === undefined) return false;
  const link = row.querySelector<HTMLElement>("a[href]");
  // A row without a link takes the focus too.
  if (link === null) row.tabIndex = -1;
  (link ?? row).focus();
  row.scrollIntoView({ block: "nearest" });
  return true;
}

function focusSearchField(): boolean {
  const field = document.querySelector<HTMLInputElement>("main search input:not([type=hidden])");
  field?.select();
  field?.focus();
  return field !== null;
}

function areShortcutsOn(): boolean {
  return readStored("localStorage", shortcutsStorageKey) !== "off";
}

function saveShortcutsOn(on: boolean): void {
  writeStored("localStorage", shortcutsStorageKey, on ? null : "off");
}
