import { keepPresence } from "./presence/presence-marks.ts";
import type { HandOverState } from "./types.ts";

let refreshTimer: ReturnType<typeof setTimeout> | undefined;

const handOverStates: readonly string[] = ["applies", "over", "cancelled", "disputed", "checking"];

/**
 * Fetches what the page shows of the trade again and puts in place what differs. A part in which someone is filling in a
 * form waits until they are done: then `again` is called. Answers whether goods may be handed over now, where the server said.
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
    // What the person types is theirs; the part is brought up to date once they are done.
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(again, 5_000);
  }
  const told = fetched.querySelector<HTMLElement>("[data-hand-over]")?.dataset.handOver ?? "";
  return handOverStates.includes(told) ? (told as HandOverState) : undefined;
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
  // A page that answered a form holds what the person is about to set right, or is asked to look over.
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

/** What was open stays open, and the focus stays where it was. */
function replacePart(part: HTMLElement, fresh: HTMLElement): void {
  const open = [...part.querySelectorAll("details[open] > [id]")].map(({ id }) => id);
  const focused = part.contains(document.activeElement) ? (document.activeElement?.id ?? "") : "";
  // Copying needs a script, and here one is.
  for (const button of fresh.querySelectorAll<HTMLElement>("[data-copy]")) button.hidden = false;
  part.replaceChildren(...fresh.childNodes);
  for (const id of open) document.getElementById(id)?.closest("details")?.setAttribute("open", "");
  if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
}
