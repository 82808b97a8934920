import { barSelector, findBottomOf } from "../toast.ts";

/** What toasts must not cover: the head of a sheet or a dialog, primary buttons, the composer, and a field in use. */
const keptFreeSelector =
  "#trade-head, dialog h2, :is(a, button).bg-brand, #composer, :is(input, textarea, select):focus";
/** And what they only cover where a keyboard leaves no other place: what is next in the trade. */
const nextStepSelector = "[data-next-step]";

/** Between the lowest toast and what lies below it (px); above the first one its own margin is as large. */
const gapBelow = 12;

/** Places the toasts whenever there are others, a keyboard opens, the focus moves, or the page shows other parts. */
export function keepToastsPlaced(): void {
  const region = document.querySelector<HTMLElement>("[data-toasts]");
  if (region === null) return;
  const place = () => placeToastsInFreeSpace(region);
  const placeLater = () => requestAnimationFrame(place);
  // After that of toast.ts, which places new toasts below the bars.
  new MutationObserver(place).observe(region, { childList: true });
  for (const type of ["resize", "scroll"]) window.visualViewport?.addEventListener(type, placeLater);
  for (const type of ["focusin", "parts-shown"]) document.addEventListener(type, placeLater);
  addEventListener("popstate", placeLater);
  place();
}

/**
 * Places the toasts: below the bars, or over them while a dialog covers them. Where that would cover what must stay in reach, at the bottom
 * of what is visible, which a keyboard makes smaller; else at the first place between that has room. Without one, below the bars.
 */
function placeToastsInFreeSpace(region: HTMLElement): void {
  if (region.firstElementChild === null) return;
  const seen = window.visualViewport;
  const start = seen?.offsetTop ?? 0;
  const end = start + (seen?.height ?? innerHeight);
  const cover = document.querySelector("dialog[data-modal], [aria-modal=true]");
  const top = cover === null ? Math.max(start, findBottomOf(barSelector)) : start;
  const find = (selector: string) => findPlace(region, boxesOf(cover ?? document, selector), top, end);
  const place = find(`${keptFreeSelector}, ${nextStepSelector}`) ?? find(keptFreeSelector) ?? top;
  region.style.setProperty("top", `${place}px`);
}

/** The first place between `top` and `end` where the region covers none of the boxes; undefined if there is none. */
function findPlace(region: HTMLElement, boxes: DOMRect[], top: number, end: number): number | undefined {
  const { height, left, right } = region.getBoundingClientRect();
  const kept = boxes.filter(
    (box) => box.left < right && box.right > left && box.bottom > top && box.top < end,
  );
  const places = [
    top,
    end - height - gapBelow,
    ...kept.map(({ bottom }) => bottom),
    ...kept.map((box) => box.top - height - gapBelow),
  ];
  return places.find(
    (place) =>
      place >= top &&
      place + height <= end &&
      kept.every((box) => box.bottom <= place || box.top >= place + height),
  );
}

const boxesOf = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)]
    .map((element) => element.getBoundingClientRect())
    .filter(({ height }) => height > 0);
