import { openDialog } from "./dialogs.ts";
import { pressed } from "./pressed.ts";

const name = "midman-keys";

/**
 * Single keys of the back office: `j` and `k` focus the main link of the next and the previous `[data-row]`, so that Enter is the
 * browser's own; `/` focuses the field of the page's `<search>`, `?` lists the keys. Not while something is typed, not with another key held down,
 * and not where they were turned off (WCAG 2.1.4).
 */
export function startKeys(): void {
  const choice = document.querySelector<HTMLInputElement>("[data-keys-on]");
  if (choice === null) return;
  choice.checked = areOn();
  choice.addEventListener("change", () => keep(choice.checked));
  const acts: Record<string, () => boolean> = {
    j: () => step(1),
    k: () => step(-1),
    "/": search,
    "?": () => openDialog("desk-keys"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isTaken(event.target))
      return;
    const act = acts[pressed(event)];
    if (act !== undefined && areOn() && act()) event.preventDefault();
  });
}

/** Something is typed or chosen there, or a dialog has the word. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]")) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}

function step(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")].filter((row) =>
    row.checkVisibility(),
  );
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
  if (row === undefined) return false;
  const link = row.querySelector<HTMLElement>("a[href]");
  // What leads nowhere is gone through all the same.
  if (link === null) row.tabIndex = -1;
  (link ?? row).focus();
  row.scrollIntoView({ block: "nearest" });
  return true;
}

function search(): boolean {
  const field = document.querySelector<HTMLInputElement>("main search input:not([type=hidden])");
  field?.select();
  field?.focus();
  return field !== null;
}

// Storage may be closed (private windows): the keys are then on, and a choice holds for the page alone.
let forThisPage: boolean | undefined;

function areOn(): boolean {
  if (forThisPage !== undefined) return forThisPage;
  try {
    return localStorage.getItem(name) !== "off";
  } catch {
    return true;
  }
}

function keep(on: boolean): void {
  forThisPage = on;
  try {
    if (on) localStorage.removeItem(name);
    else localStorage.setItem(name, "off");
  } catch {
    // It holds for this page.
  }
}
