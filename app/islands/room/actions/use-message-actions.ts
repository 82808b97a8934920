import { type RefObject, useEffect, useRef } from "react";
import { isPlainPress } from "../../../enhance/browser/plain-press.ts";
import { islandPaths } from "../../../island-paths.ts";
import { authorName } from "../seat.ts";
import type { Message, Quote, RoomProps, Seat } from "../types.ts";
import { removeFromTabOrder, startArrowKeys } from "./message-keys.ts";
import { quoteOf } from "./quote.ts";

/** A finger that rests this long, in ms, asks for the message's actions. */
const longPressMs = 450;
const ownMenus = "a:not([data-picture]), button, summary";
/** A finger that moves further than this, in CSS pixels, scrolls. */
const pressSlackPixels = 10;

interface ActionsOf {
  messages: Message[];
  seats: Seat[];
  roomId: number;
  me: number;
  strings: RoomProps["strings"];
  reply: (quote: Quote) => void;
}

/**
 * Opens the actions of a message: by its menu button (mouse, keyboard, screen reader) or a long press. Also follows the links of quotes
 * inside the conversation. One set of listeners on the list serves all messages.
 */
export function useMessageActions(list: RefObject<HTMLElement | null>, room: ActionsOf): void {
  const latest = useRef(room);
  latest.current = room;
  useEffect(() => {
    const box = list.current;
    if (box === null) return;
    const ended = new AbortController();
    const on = { signal: ended.signal };
    box.addEventListener("click", (event) => hearClick(event, latest.current), on);
    startArrowKeys(box, ended.signal);
    watchLongPress(box, ended.signal, (target) => void openActions(target, latest.current));
    return () => ended.abort();
  }, [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages bring new buttons
  useEffect(() => {
    if (list.current !== null) removeFromTabOrder(list.current);
  }, [list, room.messages]);
}

function hearClick(event: MouseEvent, room: ActionsOf): void {
  const target = event.target as Element;
  if (target.closest("summary[data-actions]") !== null) {
    event.preventDefault();
    void openActions(target, room);
    return;
  }
  const quote = target.closest<HTMLAnchorElement>("a[data-quote]");
  if (quote === null || !isPlainPress(event)) return;
  event.preventDefault();
  showMessage(quote);
}

/** Scrolls to the quoted message; loads its part of the conversation if it is not here. Neither adds a step to Back. */
function showMessage(quote: HTMLAnchorElement): void {
  const line = document.getElementById(`m${quote.dataset.quote}`);
  if (line === null) {
    location.replace(quote.href);
    return;
  }
  line.scrollIntoView({ block: "center" });
  line.classList.add("bg-brand-soft");
  setTimeout(() => line.classList.remove("bg-brand-soft"), 1_500);
}

function watchLongPress(box: HTMLElement, signal: AbortSignal, open: (target: Element) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from: { x: number; y: number } | undefined;
  let isOpened = false;
  const cancel = () => {
    clearTimeout(timer);
    from = undefined;
  };
  const press = (target: EventTarget | null) => {
    cancel();
    // A link has a menu of the browser's own; a picture is the message itself.
    if (!(target instanceof Element) || target.closest(ownMenus) !== null) return;
    isOpened = true;
    open(target);
  };
  const options = { signal, passive: true };
  const begin = ({ touches, target }: TouchEvent) => {
    cancel();
    isOpened = false;
    const [touch] = touches;
    if (touch === undefined || touches.length > 1) return;
    from = { x: touch.clientX, y: touch.clientY };
    timer = setTimeout(press, longPressMs, target);
  };
  const move = ({ touches: [touch] }: TouchEvent) => {
    if (from === undefined || touch === undefined) return;
    if (Math.hypot(touch.clientX - from.x, touch.clientY - from.y) > pressSlackPixels) cancel();
  };
  box.addEventListener("touchstart", begin, options);
  box.addEventListener("touchmove", move, options);
  box.addEventListener("touchcancel", cancel, options);
  // The finger's release must not press what has opened under it.
  box.addEventListener(
    "touchend",
    (event) => {
      cancel();
      if (isOpened && event.cancelable) event.preventDefault();
    },
    { signal },
  );
  // Android asks for its own menu, which would select a word, at about the same moment.
  box.addEventListener(
    "contextmenu",
    (event) => {
      if (isOpened) event.preventDefault();
      if (from === undefined) return;
      press(event.target);
      if (isOpened) event.preventDefault();
    },
    { signal },
  );
}

async function openActions(target: Element, room: ActionsOf): Promise<void> {
  const line = target.closest<HTMLElement>("li[id^=m]");
  const message = room.messages.find(({ seq }) => line?.id === `m${seq}`);
  if (line === null || message === undefined) return;
  const { actions: words } = room.strings;
  const quote = quoteOf(message);
  if (quote === undefined) return;
  const menu = await import("./action-menu.tsx").catch(() => undefined);
  if (menu === undefined) return void location.assign(islandPaths.replyTo(room.roomId, message.seq));
  const text = quote.type === "image" ? message.image?.caption : message.content;
  const copy = async () => {
    const isCopied = await menu.copyText(text ?? "");
    return isCopied ? room.strings.body.copied : "";
  };
  menu.openActionMenu({
    title: `${authorName(quote.senderId, room)}: ${quote.content || words.picture}`,
    actions: [
      { label: words.reply, run: () => room.reply(quote) },
      ...(text ? [{ label: words.copyText, report: copy }] : []),
      ...(message.image ? [{ label: words.download, href: message.image.full, download: true }] : []),
      ...(quote.senderId === room.me
        ? []
        : [{ label: room.strings.report, href: islandPaths.reportMessage(room.roomId, message.id) }]),
    ],
    note: words.unchangeable,
    close: words.close,
    opener: line.querySelector<HTMLElement>("summary") ?? line,
  });
}
