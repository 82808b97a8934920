import { openReconnectingSocket } from "../../islands/room/connection/reconnecting-socket.ts";
import { createTimeoutSignal } from "../browser/timeout-signal.ts";
import { rememberRows, swapRows } from "./swap-rows.ts";

/** The list is fetched at least so often (ms) while it is looked at: the times left in it grow old, and a hint may have been lost. */
const refreshIntervalMs = 120_000;
/** And so often while there is no socket. */
const pollIntervalMs = 20_000;
/** A list is fetched at most so often (ms). */
const leastPauseMs = 1_000;

/**
 * Keeps a list of rooms up to date. `<div data-rooms-live="address of its rows" data-me="reader">`: a socket says that something has changed,
 * and the rows are fetched again from the server. While the page is hidden it fetches nothing. After each change `rooms-swapped` is
 * dispatched on the document.
 */
export function keepRoomsLive(box: HTMLElement): void {
  const { roomsLive: address = "", me = "" } = box.dataset;
  /** A form that was answered in place may have replaced the whole page. */
  const current = () => (box.isConnected ? box : document.getElementById(box.id));
  let isConnected = false;
  let isStale = box.childElementCount === 0;
  let isPressed = false;
  let isBusy = false;
  let fetchedAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (isBusy || isPressed || document.visibilityState === "hidden") return;
    isBusy = true;
    isStale = false;
    fetchedAt = Date.now();
    const rows = await fetchRows(address, me).catch(() => undefined);
    isBusy = false;
    const shown = current();
    if (rows !== undefined && shown !== null) {
      swapRows(shown, rows);
      document.dispatchEvent(new CustomEvent("rooms-swapped"));
    }
    if (isStale) return schedule();
    if (rows !== undefined) return;
    // The hint that was answered by this request must not be lost with it.
    isStale = true;
    timer ??= setTimeout(refresh, pollIntervalMs);
  };
  const schedule = () => {
    isStale = true;
    timer ??= setTimeout(refresh, Math.max(0, fetchedAt + leastPauseMs - Date.now()));
  };

  rememberRows(box);
  if (isStale) void refresh();
  openReconnectingSocket(`list=rooms&userId=${me}`, {
    onOpen: () => {
      isConnected = true;
    },
    onClose: () => {
      isConnected = false;
    },
    onFrame: schedule,
    // Signed out, or signed in as somebody else: the server's answer says what to show.
    onDenied: schedule,
  });
  setInterval(() => {
    if (Date.now() - fetchedAt >= (isConnected ? refreshIntervalMs : pollIntervalMs)) schedule();
  }, pollIntervalMs / 4);
  document.addEventListener("visibilitychange", () => isStale && schedule());
  addEventListener(
    "pageshow",
    (event) => event instanceof PageTransitionEvent && event.persisted && schedule(),
  );
  // A row that moves under a finger would be another than the one that was pressed.
  addEventListener("pointerdown", ({ target }) => {
    isPressed = target instanceof Node && current()?.contains(target) === true;
  });
  for (const type of ["pointerup", "pointercancel"]) {
    addEventListener(type, () => {
      isPressed = false;
      if (isStale) schedule();
    });
  }
}

/** Undefined if the server has no list now. If the page's reader is no longer signed in, the page is loaded again and says so. */
async function fetchRows(address: string, me: string): Promise<Element | undefined> {
  const response = await fetch(address, { signal: createTimeoutSignal() });
  const html = await response.text();
  const rows = new DOMParser().parseFromString(html, "text/html").querySelector<HTMLElement>("[data-me]");
  if (response.redirected || (rows !== null && rows.dataset.me !== me)) {
    location.reload();
    return undefined;
  }
  return response.ok && rows !== null ? rows : undefined;
}
