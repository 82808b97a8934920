/** How long a toast stays that tells of no error: a start, and time to read each character, in ms. */
const [shortestStayMs, stayPerCharacterMs] = [4_000, 60];
const tickMs = 250;

/**
 * Toasts float above the page and leave by themselves; errors stay until they are dismissed by their button or by Escape. Nothing leaves
 * while the pointer or the focus is on a toast, or the page is hidden. The toast that came with the page is inserted again, since a screen
 * reader announces only changes. Toasts that other scripts add behave the same.
 */
export function startToast(): void {
  const region = document.querySelector<HTMLElement>("[data-toasts]");
  if (region === null) return;
  region.dataset.floating = "";
  const first = [...region.children];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const toast of addedNodes) if (toast instanceof HTMLElement) wakeToast(toast, region);
    document.body.toggleAttribute("data-toasted", region.firstElementChild !== null);
    placeToastsBelowBars(region);
  }).observe(region, { childList: true });
  document.addEventListener("keydown", (event) => {
    const last = region.lastElementChild;
    if (event.key !== "Escape" || event.defaultPrevented || last === null) return;
    event.preventDefault();
    last.remove();
  });
  // What a toast says of the trade is outdated once the trade has moved on.
  document.addEventListener("parts-shown", (event) => {
    if (!(event instanceof CustomEvent) || !event.detail.moved) return;
    // A form that did not arrive is still to be sent.
    for (const toast of [...region.children]) if (!toast.querySelector("[data-retry]")) toast.remove();
  });
  if (first.length > 0) requestAnimationFrame(() => region.replaceChildren(...first));
}

function wakeToast(toast: HTMLElement, region: HTMLElement): void {
  for (const button of toast.querySelectorAll<HTMLButtonElement>("[data-dismiss]")) {
    button.hidden = false;
    button.onclick = () => toast.remove();
  }
  if (toast.dataset.toast === "error") return;
  let left = shortestStayMs + (toast.textContent ?? "").length * stayPerCharacterMs;
  const timer = setInterval(() => {
    if (document.hidden || region.matches(":hover") || region.contains(document.activeElement)) return;
    left -= tickMs;
    if (left > 0 && toast.isConnected) return;
    clearInterval(timer);
    toast.remove();
  }, tickMs);
}

/** Places the toasts below what must stay in reach. Once a person uses the page, `in-place/toast-position.ts` looks for a better place. */
function placeToastsBelowBars(region: HTMLElement): void {
  const isCovered = region.closest("dialog") !== null || document.querySelector("[aria-modal=true]") !== null;
  region.style.setProperty("top", `${findBottomOf(isCovered ? "#trade-head" : barSelector)}px`);
}

/** What stays in reach above the toasts: the page's header, and in a room its bar and the line with the next button. */
export const barSelector = "body > header, #room-bar, #room-strip";

/** The lower edge of the elements in the window's upper half (px from its top); 0 if there are none. */
export function findBottomOf(selector: string): number {
  const bottoms = [...document.querySelectorAll(selector)].map(
    (element) => element.getBoundingClientRect().bottom,
  );
  return Math.max(0, ...bottoms.filter((bottom) => bottom < innerHeight / 2));
}
