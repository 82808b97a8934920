import { isPlainPress } from "../../../enhance/browser/plain-press.ts";

/** As in room.css: from here on the trade is a column of its own. */
const twoColumns = "(min-width: 64rem)";

/**
 * On a phone, opens the trade over the conversation instead of loading its page: its links open it, and Back, Escape, the backdrop and its
 * close link close it. The address is that of the page, so that it can be loaded, shared and posted to. Without this script the links lead
 * to that page.
 */
export function startTradeSheet(): void {
  const room = document.querySelector<HTMLElement>("[data-room]");
  const sheet = document.getElementById("room-trade");
  if (room === null || sheet === null) return;
  const { room: roomPath = "", trade: tradePath = "" } = room.dataset;
  const wide = matchMedia(twoColumns);
  const isOpen = () => location.pathname === tradePath;
  const draw = () => drawSheet(room, sheet, { isOpen: isOpen(), isModal: isOpen() && !wide.matches });
  let opener: HTMLElement | null = null;

  const open = (link: HTMLAnchorElement) => {
    opener = link;
    room.dataset.sheet = "";
    history.pushState({ sheet: true }, "", link.href);
    draw();
    showPart(link.hash.slice(1));
  };
  const shut = () => {
    draw();
    if (wide.matches) return;
    // The strip may have been replaced meanwhile.
    const again = opener?.isConnected ? opener : document.querySelector<HTMLElement>("#room-strip a");
    again?.focus({ preventScroll: true });
  };
  const close = () => {
    if (isSheetState(history.state)) return history.back();
    // The page of the trade was loaded as such: the conversation takes its place, without a step for Back.
    history.replaceState(null, "", roomPath);
    shut();
  };
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || wide.matches || !isPlainPress(event) || !(event.target instanceof Element))
      return;
    const link = event.target.closest("a");
    const leadsTo = (path: string) =>
      link?.origin === location.origin && link.pathname + link.search === path;
    if (link !== null && leadsTo(tradePath) && !isOpen()) open(link);
    else if (isOpen() && (leadsTo(roomPath) || event.target.matches("[data-sheet-close]"))) close();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const isTaken = document.querySelector("details[data-menu][open], [data-toasts] > *") !== null;
    if (event.key === "Escape" && !event.defaultPrevented && !isTaken && !wide.matches && isOpen()) close();
  });
  addEventListener("popstate", () => {
    if (!isOpen()) return shut();
    room.dataset.sheet = "";
    draw();
  });
  wide.addEventListener("change", draw);
  draw();
}

/** Shows the room or the trade; while the sheet is modal, the rest of the page cannot be reached. */
function drawSheet(
  room: HTMLElement,
  sheet: HTMLElement,
  { isOpen, isModal }: { isOpen: boolean; isModal: boolean },
): void {
  room.dataset.view = isOpen ? "trade" : "room";
  // All but toasts: what is announced must be heard.
  for (const other of document.querySelectorAll<HTMLElement>("body > :not(main, [data-toasts]), .room-talk"))
    other.inert = isModal;
  const modal = { role: "dialog", "aria-modal": "true", "aria-labelledby": "trade-title" };
  for (const [name, value] of Object.entries(modal)) {
    if (isModal) sheet.setAttribute(name, value);
    else sheet.removeAttribute(name);
  }
}

/** Opens the part of the trade that a link names and moves the focus there, or to the next step. */
function showPart(id: string): void {
  const part = document.getElementById(id || "next");
  const row = part?.closest("details");
  if (row) row.open = true;
  (row?.querySelector("summary") ?? part)?.focus({ preventScroll: true });
  if (part) scrollToPart(part);
}

/** Scrolls only the sheet's own area: `scrollIntoView` would also move the page, from below which the sheet is still rising. */
function scrollToPart(part: HTMLElement): void {
  const area = part.closest(".room-trade-scroll");
  if (area === null) return;
  const [shown, wanted] = [area.getBoundingClientRect(), part.getBoundingClientRect()];
  const above = wanted.top - shown.top;
  const below = wanted.bottom - shown.bottom;
  if (above < 0) area.scrollTop += above;
  else if (below > 0) area.scrollTop += Math.min(below, above);
}

function isSheetState(state: unknown): boolean {
  return typeof state === "object" && state !== null && "sheet" in state;
}
