import { nameOf } from "./filled-fields.ts";
import { silentMark } from "./parts.ts";

/**
 * Moves the focus to the result of a form: the first wrong field or the review that the server marks (`autofocus`), otherwise the button
 * that was pressed if it is still offered, otherwise the heading of what comes next.
 */
export function focusResult(changed: HTMLElement[], pressed: { form: string; label: string }): void {
  const wanted = changed.map((part) => part.querySelector<HTMLElement>("[autofocus]")).find(Boolean);
  const target = wanted ?? sameButton(pressed) ?? nextHeading(changed);
  if (!target) return;
  if (target.tabIndex < 0 || !target.matches("a, button, input, select, textarea, summary")) {
    target.tabIndex = -1;
    target.dataset.focused = "";
  }
  target.focus({ preventScroll: true });
  // Only if it is not in view: the page stays where it is.
  target.scrollIntoView({ block: "nearest" });
}

/** Has screen readers announce what the answer says beside a button: they announce a change, not what arrives with its region. */
export function announceStatus(changed: HTMLElement[]): void {
  requestAnimationFrame(() => {
    for (const part of changed)
      for (const status of part.querySelectorAll("[role=status]:not([hidden])")) status.append(silentMark);
  });
}

/** What a person pressed, to be found again in the answer. */
export function pressedButton(form: HTMLFormElement, submitter: HTMLElement | null) {
  const button = submitter ?? form.querySelector<HTMLElement>("button:not([type=button])");
  return { form: nameOf(form), label: button?.textContent ?? "" };
}

/** The step may have got another name while its button says the same. */
function sameButton({ form, label }: { form: string; label: string }): HTMLElement | undefined {
  const buttons = [
    ...document.querySelectorAll<HTMLButtonElement>("[data-part] form button:not([type=button])"),
  ];
  const alike = buttons.filter((one) => one.textContent === label);
  const button = alike.find((one) => one.form !== null && nameOf(one.form) === form) ?? alike[0];
  // Inside a closed disclosure it is out of reach.
  return button?.closest("details:not([open])")?.querySelector("summary") ?? button;
}

function nextHeading(changed: HTMLElement[]): HTMLElement | undefined {
  const marked = document.querySelector<HTMLElement>("[data-next-step]");
  const headings = changed.flatMap((part) => [...part.querySelectorAll<HTMLElement>("h1, h2, h3")]);
  return (
    [marked, ...headings].find((one) => one && isShown(one)) ?? document.getElementById("main") ?? undefined
  );
}

const isShown = (element: HTMLElement) => element.getClientRects().length > 0;
