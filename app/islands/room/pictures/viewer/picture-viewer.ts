import type { PictureWords } from "../picture-words.ts";
import { followGestures } from "./gestures.ts";
import { viewerMark } from "./open-viewer.ts";
import { type ViewerParts, viewerParts } from "./viewer-parts.tsx";
import {
  doubleTapZoom,
  fittedPlace,
  limitPlace,
  type PicturePlace,
  swipeResult,
  type ViewPoint,
  zoomAround,
} from "./zoom.ts";

/** The links of the conversation's pictures, as they are now: messages may arrive while the viewer is open. */
const pictureLinks = () => [...document.querySelectorAll<HTMLAnchorElement>("a[data-picture]")];

/**
 * Shows the picture of a link in a dialog over the whole window, with the conversation's other pictures beside it. Adds one history entry, so
 * that Back closes the dialog, and removes it when the dialog closes otherwise. The focus returns to the link.
 */
export function showViewer(link: HTMLAnchorElement, words: PictureWords): void {
  if (document.querySelector("[data-viewer]") !== null) return;
  const parts = viewerParts(words);
  const ended = new AbortController();
  const picture = pictureIn(parts, words);
  let shown = link;
  const show = (next: HTMLAnchorElement | undefined) => {
    if (next === undefined) return;
    shown = next;
    const links = pictureLinks();
    const at = links.indexOf(next);
    parts.previous.disabled = at <= 0;
    parts.next.disabled = at < 0 || at === links.length - 1;
    parts.count.textContent = words.count
      .replace("[n]", String(at + 1))
      .replace("[all]", String(links.length));
    // A disabled button would leave the keyboard without a place.
    if (document.activeElement?.matches(":disabled")) parts.close.focus();
    picture.load(next);
  };
  const go = (step: number) => show(pictureLinks()[pictureLinks().indexOf(shown) + step]);
  const close = () => parts.dialog.close();

  parts.previous.onclick = () => go(-1);
  parts.next.onclick = () => go(1);
  parts.close.onclick = close;
  parts.zoom.onclick = () => picture.toggle();
  onKeys(parts.dialog, [
    [["Escape"], close],
    [["ArrowLeft"], () => go(-1)],
    [["ArrowRight"], () => go(1)],
    [["+", "="], () => picture.zoomBy(1.5)],
    [["-"], () => picture.zoomBy(1 / 1.5)],
    [["0"], () => picture.move(fittedPlace)],
  ]);
  const drop = (moved: ViewPoint, ms: number) => {
    const result = swipeResult(moved, ms, { x: parts.stage.clientWidth, y: parts.stage.clientHeight });
    picture.move(fittedPlace);
    if (result === "close") close();
    else if (result !== undefined) go(result === "next" ? 1 : -1);
  };
  followGestures(parts.stage, { ...picture, drop, doubleTap: picture.toggle }, ended.signal);
  holdHistoryEntry(parts.dialog, ended, () => {
    parts.dialog.remove();
    if (link.isConnected) link.focus();
    else document.getElementById("composer")?.focus();
  });
  addEventListener("resize", () => picture.move(fittedPlace), { signal: ended.signal });
  document.body.append(parts.dialog);
  parts.dialog.showModal();
  parts.close.focus();
  show(link);
}

/** Runs what a key does; the page behind, which has keys of its own, does not get it. */
function onKeys(dialog: HTMLDialogElement, actions: Array<[keys: string[], act: () => void]>): void {
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [, act] = actions.find(([keys]) => keys.includes(event.key)) ?? [];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}

/**
 * Adds a history entry for the dialog. Back closes the dialog; closing it otherwise goes back. `closed` runs twice: when the dialog closes,
 * and after its history entry is gone.
 */
function holdHistoryEntry(dialog: HTMLDialogElement, ended: AbortController, closed: () => void): void {
  let isHeld = true;
  history.pushState({ ...(history.state as object | null), [viewerMark]: true }, "");
  // The page's own listeners come first and may move the focus, as the trade's sheet does: `closed` sets it after them.
  const left = () => {
    isHeld = false;
    dialog.close();
    closed();
  };
  addEventListener("popstate", left, { once: true });
  dialog.addEventListener("close", () => {
    ended.abort();
    closed();
    if (isHeld) history.back();
  });
}

/** The picture on the stage: which one, and how it lies there. */
function pictureIn({ stage, image, caption, download, zoom, status }: ViewerParts, words: PictureWords) {
  let place: PicturePlace = fittedPlace;
  let wanted = "";
  const draw = ({ scale, x, y }: PicturePlace) => {
    image.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  };
  const move = (to: PicturePlace) => {
    const view = { x: stage.clientWidth, y: stage.clientHeight };
    place = limitPlace(to, { x: image.offsetWidth, y: image.offsetHeight }, view);
    draw(place);
    zoom.setAttribute("aria-pressed", String(place.scale > 1));
  };
  const load = (link: HTMLAnchorElement) => {
    const small = link.querySelector("img");
    wanted = link.href;
    // The small picture is here already; the large one replaces it once it has arrived.
    image.src = small?.currentSrc || link.href;
    image.alt = small?.alt ?? "";
    image.width = Number(link.dataset.width);
    image.height = Number(link.dataset.height);
    caption.textContent = link.dataset.picture ?? "";
    download.href = link.href;
    status.textContent = words.preparing;
    const full = new Image();
    full.onload = () => {
      if (wanted !== link.href) return;
      image.src = link.href;
      status.textContent = "";
    };
    full.onerror = () => {
      if (wanted === link.href) status.textContent = words.broken;
    };
    full.src = link.href;
    move(fittedPlace);
  };
  return {
    load,
    move,
    place: () => place,
    drag: ({ x, y }: { x: number; y: number }) => draw({ scale: 1, x, y: Math.max(0, y) }),
    zoomBy: (factor: number) => move(zoomAround(place, factor, { x: 0, y: 0 })),
    toggle: (at = { x: 0, y: 0 }) =>
      move(place.scale > 1 ? fittedPlace : zoomAround(place, doubleTapZoom, at)),
  };
}
