import { keepPresence } from "./presence/presence-marks.ts";
import type { HandOverState } from "./types.ts";
import { isHandOverState } from "./wire-data.ts";

let refreshTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Fetches the panel of the trade again and replaces the parts that differ. A part whose form is being filled in is not replaced; `again` is
 * called later instead. Returns whether goods may be handed over now, if the server said so.
 */
export async function refreshPanel(roomId: number, again: () => void): Promise<HandOverState | undefined> {
  const response = await fetch(`/chat/${roomId}/panel`).catch(() => undefined);
  if (!response?.ok) return undefined;
  const fetched = document.createElement("div");
  fetched.innerHTML = await response.text();
  for (const fresh of fetched.querySelectorAll<HTMLElement>("[data-part]")) {
    const shown = document.getElementById(fresh.dataset.part ?? "");
    if (shown === null) continue;
    keepPresence(shown, fresh);
    if (comparableMarkup(fresh) === comparableMarkup(shown)) continue;
    if (!isBeingFilled(shown)) {
      replacePart(shown, fresh);
      continue;
    }
    // The person's input must not be lost; the part is refreshed once they are done.
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(again, 5_000);
  }
  const told = fetched.querySelector<HTMLElement>("[data-hand-over]")?.dataset.handOver;
  return isHandOverState(told) ? told : undefined;
}

/** A part's markup without the server's time and without what the person has opened. */
function comparableMarkup(of: HTMLElement): string {
  const copy = of.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll<HTMLElement>("[data-countdown]")) {
    element.removeAttribute("data-now");
    element.removeAttribute("data-over");
    element.textContent = "";
  }
  for (const element of copy.querySelectorAll("details")) element.removeAttribute("open");
  for (const element of copy.querySelectorAll("form")) element.removeAttribute("aria-busy");
  for (const element of copy.querySelectorAll("[data-copy]")) element.removeAttribute("hidden");
  return copy.innerHTML;
}

function isBeingFilled(part: HTMLElement): boolean {
  const { activeElement } = document;
  if (part.contains(activeElement) && activeElement?.matches("input, textarea, select")) return true;
  // A page that responded to a form holds input that the person is about to correct or review.
  if (part.dataset.kept !== undefined) return true;
  const fields = part.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:not([type=hidden]), textarea",
  );
  return [...fields].some((field) =>
    field instanceof HTMLInputElement && field.type === "radio"
      ? field.checked !== field.defaultChecked
      : field.value !== field.defaultValue,
  );
}

/** Replaces the content of a part; open disclosures stay open, and the focus stays where it was. */
function replacePart(part: HTMLElement, fresh: HTMLElement): void {
  const open = [...part.querySelectorAll("details[open] > [id]")].map(({ id }) => id);
  const focused = part.contains(document.activeElement) ? (document.activeElement?.id ?? "") : "";
  // Copying needs a script, which is running here.
  for (const button of fresh.querySelectorAll<HTMLElement>("[data-copy]")) button.hidden = false;
  part.replaceChildren(...fresh.childNodes);
  for (const id of open) document.getElementById(id)?.closest("details")?.setAttribute("open", "");
  if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
}
