import { createTimeoutSignal } from "../browser/timeout-signal.ts";
import { collectFilledForms, refillForms } from "./filled-fields.ts";
import { readerHeaders } from "./reader-headers.ts";
import { holdToasts } from "./toast-place.ts";

/** A character without width: a change that only screen readers notice. */
export const silentMark = "\u200b";

let refreshTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Counts posts and their answers, so that a refresh that was requested before one is discarded, and none is while the count is odd. It is in
 * the document, because two bundles contain this module.
 */
export function notePost(): void {
  document.documentElement.dataset.posts = String(postCount() + 1);
}

const postCount = () => Number(document.documentElement.dataset.posts ?? 0);

/** Parses HTML of Midman's own server; nothing in it runs or loads until it is shown. */
export function parsePage(html: string): Document {
  return new DOMParser().parseFromString(html, "text/html");
}

/**
 * Fetches parts of the page and shows those that differ, except a part whose form is being filled in: `again` is called later instead.
 * Returns what was fetched; undefined after a failure, or if a form is being posted or was meanwhile, whose answer is newer.
 */
export async function refreshParts(url: string, again: () => void): Promise<Document | undefined> {
  const count = postCount();
  // A form is under way: its answer shows more, and sooner.
  if (count % 2 === 1) {
    refreshLater(again, 500);
    return undefined;
  }
  const response = await fetch(url, { headers: readerHeaders(), signal: createTimeoutSignal() }).catch(
    () => undefined,
  );
  const html = response?.ok ? await response.text().catch(() => undefined) : undefined;
  if (html === undefined) return undefined;
  if (count !== postCount()) {
    refreshLater(again, 500);
    return undefined;
  }
  const before = shownStatus();
  const page = parsePage(html);
  for (const [shown, fresh] of differingParts(page, isSameButIds)) {
    // The person's input must not be lost; the part is refreshed once they are done.
    if (isBeingFilled(shown)) refreshLater(again, 5_000);
    else replacePart(shown, fresh);
  }
  announceParts(before !== shownStatus());
  return page;
}

/**
 * Shows the answer to a form and returns the parts that have changed. What was being filled in elsewhere is carried over; the input of the
 * form itself only if it was not accepted.
 */
export function showAnswer(page: Document, form: HTMLFormElement, accepted: boolean): HTMLElement[] {
  const changed: HTMLElement[] = [];
  for (const [shown, fresh] of differingParts(page)) {
    const filled = collectFilledForms(shown, accepted ? form : undefined);
    replacePart(shown, fresh, accepted ? form : undefined);
    refillForms(shown, filled);
    changed.push(shown);
  }
  for (const fresh of page.querySelectorAll<HTMLElement>("[data-part]")) {
    const shown = document.getElementById(fresh.dataset.part ?? "");
    if (shown !== null) copyKeptMark(shown, fresh);
  }
  announceParts(false);
  return changed;
}

/** Marks a part as kept if the fresh one is, also if it looks the same: while it is marked, no refresh replaces it. */
function copyKeptMark(shown: HTMLElement, fresh: HTMLElement): void {
  if (fresh.dataset.kept === undefined) delete shown.dataset.kept;
  else shown.dataset.kept = "";
}

/** Other scripts wake what has arrived; `moved` says that the trade's status is another. */
function announceParts(moved: boolean): void {
  document.dispatchEvent(new CustomEvent("parts-shown", { detail: { moved } }));
}

function refreshLater(again: () => void, afterMs: number): void {
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(again, afterMs);
}

const shownStatus = () => document.querySelector<HTMLElement>("[data-status]")?.dataset.status;

/** The parts that the page shows otherwise than the server now does: `data-part` names the id of the element. */
function* differingParts(
  page: Document,
  isSame: (fresh: HTMLElement, shown: HTMLElement) => boolean = isSameMarkup,
): Generator<[shown: HTMLElement, fresh: HTMLElement]> {
  // Toasts may be in a dialog that is replaced; `parts-shown` puts them back into the open one.
  holdToasts(document.body);
  for (const fresh of page.querySelectorAll<HTMLElement>("[data-part]")) {
    const shown = document.getElementById(fresh.dataset.part ?? "");
    if (shown === null) continue;
    // Listeners copy into it what the server does not know, such as typing.
    document.dispatchEvent(new CustomEvent("part-fetched", { detail: { shown, fresh } }));
    if (!isSame(fresh, shown)) yield [shown, fresh];
  }
}

function isSameMarkup(fresh: HTMLElement, shown: HTMLElement): boolean {
  return comparableMarkup(fresh) === comparableMarkup(shown);
}

/** As `isSameMarkup`, whatever the ids of attempts in forms: each rendering has new ones, which only the answer to a form has to bring. */
function isSameButIds(fresh: HTMLElement, shown: HTMLElement): boolean {
  const [a, b] = [fresh, shown].map((part) => {
    const copy = part.cloneNode(true) as HTMLElement;
    for (const field of copy.querySelectorAll("input[name=clientId]")) field.removeAttribute("value");
    return comparableMarkup(copy);
  });
  return a === b;
}

/** A part's markup without the server's time and without what the person or a script has changed. */
function comparableMarkup(of: HTMLElement): string {
  const copy = of.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll<HTMLElement>("[data-countdown]")) {
    for (const name of ["data-now", "data-over", "data-soon", "style"]) element.removeAttribute(name);
    element.textContent = "";
  }
  for (const element of copy.querySelectorAll("details, dialog")) element.removeAttribute("open");
  for (const element of copy.querySelectorAll("dialog")) element.removeAttribute("data-modal");
  for (const element of copy.querySelectorAll("form")) element.removeAttribute("aria-busy");
  for (const element of copy.querySelectorAll("[data-copy], [data-share]")) element.removeAttribute("hidden");
  for (const element of copy.querySelectorAll("[data-focused]")) {
    element.removeAttribute("data-focused");
    element.removeAttribute("tabindex");
  }
  return copy.innerHTML.replaceAll(silentMark, "");
}

function isBeingFilled(part: HTMLElement): boolean {
  const { activeElement } = document;
  if (part.contains(activeElement) && activeElement?.matches("input, textarea, select")) return true;
  return collectFilledForms(part, undefined).length > 0;
}

/**
 * Replaces the content of a part. Open disclosures stay open, apart from the one with the `done` form; pictures that are shown already are
 * not loaded again; the focus stays where it was.
 */
function replacePart(part: HTMLElement, fresh: HTMLElement, done?: HTMLFormElement): void {
  const open = [...part.querySelectorAll("details[open] > [id]")].filter((of) => !of.contains(done ?? null));
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const place = focused === null ? -1 : sameElements(part, focused).indexOf(focused);
  // The fetched page stays whole: its caller reads from it how the trade now is.
  const content = fresh.cloneNode(true) as HTMLElement;
  for (const image of content.querySelectorAll("img")) {
    const old = [...part.querySelectorAll("img")].find((one) => one.outerHTML === image.outerHTML);
    if (old) image.replaceWith(old);
  }
  part.replaceChildren(...content.childNodes);
  for (const { id } of open) document.getElementById(id)?.closest("details")?.setAttribute("open", "");
  if (focused !== null) refocus(part, focused, place);
}

function refocus(part: HTMLElement, focused: Element, place: number): void {
  const byId = focused.id === "" ? null : document.getElementById(focused.id);
  const same = byId ?? sameElements(part, focused)[place];
  if (!(same instanceof HTMLElement) || same.textContent !== focused.textContent) return;
  if (focused.hasAttribute("data-focused")) same.tabIndex = -1;
  same.focus({ preventScroll: true });
}

const sameElements = (part: HTMLElement, as: Element) => [...part.querySelectorAll(as.localName)];
