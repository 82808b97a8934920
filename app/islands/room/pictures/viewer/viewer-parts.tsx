import type { PictureWords } from "../picture-words.ts";

// A .tsx file: the stylesheet is made of the classes that such files name.

/** The elements of the viewer. */
export interface ViewerParts {
  dialog: HTMLDialogElement;
  stage: HTMLElement;
  image: HTMLImageElement;
  caption: HTMLElement;
  count: HTMLElement;
  status: HTMLElement;
  previous: HTMLButtonElement;
  next: HTMLButtonElement;
  zoom: HTMLButtonElement;
  close: HTMLButtonElement;
  download: HTMLAnchorElement;
}

const roundClasses =
  "grid size-11 shrink-0 cursor-pointer touch-manipulation place-items-center rounded-full bg-black/50 text-white hover:bg-white/20 focus-visible:outline-3 focus-visible:outline-white disabled:invisible aria-pressed:bg-white aria-pressed:text-black";

/** Lines of the icons, in a field of 24 × 24. */
const iconPaths = {
  close: "M18 6 6 18M6 6l12 12",
  previous: "m15 18-6-6 6-6",
  next: "m9 18 6-6-6-6",
  zoom: "M11 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm10 18-4.3-4.3M11 8v6M8 11h6",
  download: "M12 15V3M7 10l5 5 5-5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4",
} as const;

function makeElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: Element[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

function drawIcon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const attributes = {
    viewBox: "0 0 24 24",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "2",
    "aria-hidden": "true",
    width: "24",
    height: "24",
  };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  svg.append(document.createElementNS(space, "path"));
  svg.firstElementChild?.setAttribute("d", path);
  return svg;
}

/** Makes the viewer's dialog, which is not yet part of the page. */
export function viewerParts(words: PictureWords): ViewerParts {
  const label = <Made extends HTMLElement>(made: Made, name: string, path: string): Made => {
    made.setAttribute("aria-label", name);
    made.title = name;
    made.append(drawIcon(path));
    return made;
  };
  const button = (name: string, path: string, more = "") =>
    label(
      Object.assign(makeElement("button", `${roundClasses} ${more}`), { type: "button" as const }),
      name,
      path,
    );
  const image = makeElement(
    "img",
    "absolute inset-0 m-auto max-h-full max-w-full object-contain select-none motion-safe:transition-transform motion-safe:duration-100",
  );
  image.draggable = false;
  const stage = makeElement("div", "relative min-h-0 min-w-0 grow touch-none overflow-hidden", image);
  const count = makeElement("p", "grow text-sm");
  const status = makeElement(
    "p",
    "pointer-events-none absolute inset-x-0 bottom-20 text-center text-sm empty:hidden",
  );
  status.setAttribute("role", "status");
  const caption = makeElement(
    "p",
    "max-h-24 overflow-y-auto px-4 py-2 text-center wrap-anywhere empty:hidden",
  );
  const close = button(words.close, iconPaths.close);
  const zoom = button(words.zoom, iconPaths.zoom);
  const download = label(makeElement("a", roundClasses), words.download, iconPaths.download);
  // An empty name: the server's response names the file.
  download.download = "";
  const previous = button(words.previous, iconPaths.previous, "absolute left-2 top-1/2 -mt-5");
  const next = button(words.next, iconPaths.next, "absolute right-2 top-1/2 -mt-5");
  const bar = makeElement("div", "flex items-center gap-1 p-2", count, zoom, download, close);
  const frame = makeElement(
    "div",
    "relative flex h-full flex-col",
    bar,
    stage,
    caption,
    previous,
    next,
    status,
  );
  const dialog = makeElement(
    "dialog",
    "m-0 h-screen max-h-none w-screen max-w-none border-0 bg-black p-0 pb-[env(safe-area-inset-bottom)] text-white supports-[height:100dvh]:h-dvh backdrop:bg-black",
    frame,
  );
  dialog.setAttribute("aria-label", words.viewer);
  dialog.dataset.viewer = "";
  return { dialog, stage, image, caption, count, status, previous, next, zoom, close, download };
}
