import { isPlainPress } from "./browser/plain-press.ts";

/** The script is there before a form is filled in, even if the network goes meanwhile, but does not compete with the page itself. */
const loadAfterMs = 3_000;

/**
 * Loads the script that lets forms and dialogs answer in place (app/enhance/in-place) when a person first uses the page, or a little later.
 * A form or a dialog's link that is pressed before it has arrived waits for it; without it they work as without scripts.
 */
export function startInPlaceOnUse(): void {
  const src = document.querySelector<HTMLElement>("[data-in-place]")?.dataset.inPlace;
  if (src === undefined) return;
  let isReady = false;
  let waiting: (() => void) | undefined;
  const load = () => {
    if (document.querySelector(`script[src="${src}"]`) !== null) return;
    const script = document.createElement("script");
    script.type = "module";
    script.src = src;
    script.onload = script.onerror = () => {
      isReady = true;
      waiting?.();
    };
    document.head.append(script);
  };
  const hold = (event: Event, again: () => void) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting = again;
    load();
  };
  for (const type of ["pointerdown", "keydown", "focusin"])
    document.addEventListener(type, load, { once: true });
  addEventListener("load", () => setTimeout(load, loadAfterMs));
  // A dialog that the address has opened becomes modal at once.
  if (document.querySelector("dialog[data-close]") !== null) load();
  document.addEventListener(
    "submit",
    (event) => {
      const { target: form, submitter } = event;
      if (isReady || !(form instanceof HTMLFormElement) || !form.matches("[data-part] form[method=post]"))
        return;
      // Pressed again, the button's own name and value are sent: `Edit` must not arrive as `Confirm`.
      hold(event, () => (submitter ?? form.querySelector("button"))?.click());
    },
    true,
  );
  document.addEventListener(
    "click",
    (event) => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLElement>("a[href*='dialog=']") : null;
      if (
        !isReady &&
        isPlainPress(event) &&
        link !== null &&
        document.querySelector("[data-dialogs]") !== null
      )
        hold(event, () => link.click());
    },
    true,
  );
}
