import {
  type Connection,
  openReconnectingSocket,
} from "../../islands/room/connection/reconnecting-socket.ts";
import { createTimeoutSignal } from "../browser/timeout-signal.ts";
import { rememberRows, swapRows } from "./swap-rows.ts";
import { showUnread } from "./unread-mark.ts";

/** The list is fetched at least so often (ms) while it is looked at: the times left in it grow old, and a hint may have been lost. */
const refreshIntervalMs = 120_000;
/** And so often while there is no socket. */
const pollIntervalMs = 20_000;
/** A list is fetched at most so often (ms). */
const leastPauseMs = 1_000;

/**
 * Keeps a list of rooms up to date. `<div data-rooms-live="address of its rows" data-me="reader">`: a socket says that something has changed,
 * and the rows are fetched again from the server, with the number of unread messages. While nobody sees the rows (a hidden page, or a
 * window that is too narrow for a column), only the number is fetched. After each change `rooms-swapped` is dispatched on the document.
 */
export function keepRoomsLive(box: HTMLElement, column: MediaQueryList): void {
  const { roomsLive: address = "", me = "" } = box.dataset;
  const isInColumn = box.dataset.column !== undefined;
  /** A form that was answered in place may have replaced the whole page. */
  const current = () => (box.isConnected ? box : document.getElementById(box.id));
  const isHidden = () => document.visibilityState === "hidden";
  const isSeen = () => !isHidden() && (!isInColumn || column.matches);
  let isConnected = false;
  /** Something has changed since the number was fetched, or since the rows were. */
  let isStale = false;
  let areRowsStale = box.childElementCount === 0;
  let isPressed = false;
  /** "over": the reader of the page is no longer signed in, and nothing is fetched any more. */
  let state: "idle" | "fetching" | "over" = "idle";
  let fetchedAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (state !== "idle" || isPressed) return;
    state = "fetching";
    isStale = false;
    const withRows = isSeen();
    if (withRows) areRowsStale = false;
    fetchedAt = Date.now();
    const answer = await fetchList(withRows ? address : numberAddress(address), me).catch(() => undefined);
    state = answer === "reader changed" ? "over" : "idle";
    // A room says itself what has ended it, and keeps what was being written.
    if (answer === "reader changed") return isInColumn ? undefined : location.reload();
    if (answer !== undefined) {
      showUnread(answer.page);
      const shown = current();
      if (withRows && shown !== null) swapRows(shown, answer.rows);
      document.dispatchEvent(new CustomEvent("rooms-swapped"));
    }
    if (isStale) return schedule();
    if (answer !== undefined) return;
    // The hint that was answered by this request must not be lost with it.
    isStale = true;
    areRowsStale = true;
    timer ??= setTimeout(refresh, pollIntervalMs);
  };
  const schedule = () => {
    isStale = true;
    areRowsStale = true;
    timer ??= setTimeout(refresh, Math.max(0, fetchedAt + leastPauseMs - Date.now()));
  };
  const scheduleIfSeen = () => isSeen() && areRowsStale && schedule();

  rememberRows(box);
  // The number that came with the page: the app's icon may still have an earlier page's.
  showUnread(document);
  if (areRowsStale && isSeen()) void refresh();
  const onConnectionChange = (connected: boolean) => {
    isConnected = connected;
  };
  keepSocket(address, me, isInColumn ? column : undefined, { onChange: schedule, onConnectionChange });
  setInterval(() => {
    if (isHidden() && isConnected) return;
    if (Date.now() - fetchedAt >= (isConnected ? refreshIntervalMs : pollIntervalMs)) schedule();
  }, pollIntervalMs / 4);
  watchSight(column, scheduleIfSeen);
  watchReturn(schedule);
  watchPress(current, (pressed) => {
    isPressed = pressed;
    if (!pressed && isStale) schedule();
  });
}

/** The rows may come into sight with the page, or as the window gets wider. */
function watchSight(column: MediaQueryList, hear: () => void): void {
  document.addEventListener("visibilitychange", hear);
  column.addEventListener("change", hear);
}

/** A page that Back brings from the browser's memory shows the list of then. */
function watchReturn(hear: () => void): void {
  addEventListener("pageshow", (event) => event instanceof PageTransitionEvent && event.persisted && hear());
}

/** A row that moves under a finger would be another than the one that was pressed. */
function watchPress(current: () => HTMLElement | null, hear: (pressed: boolean) => void): void {
  addEventListener("pointerdown", ({ target }) =>
    hear(target instanceof Node && current()?.contains(target) === true),
  );
  for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => hear(false));
}

/** The address of the number alone. */
const numberAddress = (address: string) => `${address}${address.includes("?") ? "&" : "?"}only=unread`;

interface ListSocketListener {
  /** Something in the list may have changed. */
  onChange: () => void;
  onConnectionChange: (isConnected: boolean) => void;
}

/**
 * Opens the list's socket. A room whose list is not shown has a socket of its own for what happens in it; a column shows its row too.
 */
function keepSocket(
  address: string,
  me: string,
  column: MediaQueryList | undefined,
  { onChange, onConnectionChange }: ListSocketListener,
): void {
  const room = /[?&]open=(\d+)/.exec(address)?.[1];
  let connection: Connection | undefined;
  const open = () => {
    connection?.stop();
    const except = room === undefined || column?.matches ? "" : `&except=${room}`;
    connection = openReconnectingSocket(`list=rooms&userId=${me}${except}`, {
      onOpen: () => onConnectionChange(true),
      onClose: () => onConnectionChange(false),
      onFrame: onChange,
      // Signed out, or signed in as somebody else: the server's answer says what to show.
      onDenied: onChange,
    });
  };
  open();
  column?.addEventListener("change", open);
}

/** Undefined if the server has no list now; "reader changed" if the page's reader is no longer signed in. */
async function fetchList(
  address: string,
  me: string,
): Promise<{ page: ParentNode; rows: Element } | "reader changed" | undefined> {
  const response = await fetch(address, { signal: createTimeoutSignal() });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const rows = page.querySelector<HTMLElement>("[data-me]");
  if (response.redirected || (rows !== null && rows.dataset.me !== me)) return "reader changed";
  return response.ok && rows !== null ? { page, rows } : undefined;
}
