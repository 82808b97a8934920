let later: ReturnType<typeof setTimeout> | undefined;

/** Fetches the trade's panel again and puts it in place where it differs, unless someone is filling in one of its forms. */
export async function refreshPanel(roomId: number): Promise<void> {
  const panel = document.getElementById("trade-panel");
  if (panel === null) return;
  const response = await fetch(`/chat/${roomId}/panel`).catch(() => undefined);
  if (!response?.ok) return;
  const fresh = document.createElement("div");
  fresh.innerHTML = await response.text();
  if (comparable(fresh) === comparable(panel)) return;
  if (isBeingFilled(panel)) {
    // What the person types is theirs; the panel is brought up to date once they are done.
    clearTimeout(later);
    later = setTimeout(() => void refreshPanel(roomId), 5_000);
    return;
  }
  replace(panel, fresh);
}

/** The panel's markup without the server's time and without what the person has opened. */
function comparable(of: HTMLElement): string {
  const copy = of.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll<HTMLElement>("[data-countdown]")) {
    element.removeAttribute("data-now");
    element.textContent = "";
  }
  for (const element of copy.querySelectorAll("details")) element.removeAttribute("open");
  for (const element of copy.querySelectorAll("[data-copy]")) element.removeAttribute("hidden");
  return copy.innerHTML;
}

function isBeingFilled(panel: HTMLElement): boolean {
  const { activeElement } = document;
  if (panel.contains(activeElement) && activeElement?.matches("input, textarea, select")) return true;
  const fields = panel.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:not([type=hidden]), textarea",
  );
  return [...fields].some((field) => field.value !== field.defaultValue);
}

/** What was open stays open, and the focus stays where it was. */
function replace(panel: HTMLElement, fresh: HTMLElement): void {
  const open = [...panel.querySelectorAll("details[open]")].map(({ id }) => id);
  const focused = panel.contains(document.activeElement) ? (document.activeElement?.id ?? "") : "";
  panel.replaceChildren(...fresh.childNodes);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
}
