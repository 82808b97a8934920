/** Long enough for a slow link. Afterwards the person may press again, because every step can be repeated harmlessly. */
const busyTimeoutMs = 10_000;

/** Marks a form as busy while it is submitted, so that an impatient second press does not post it again. */
export function startBusy(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    // A response that goes into a frame leaves the page and its form as they are.
    if (event.submitter?.hasAttribute("formtarget")) return;
    if (form.ariaBusy === "true") return event.preventDefault();
    form.ariaBusy = "true";
    setTimeout(() => clearBusy(form), busyTimeoutMs);
  });
  // The browser may restore the page from its cache with the form still marked busy.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form")) clearBusy(form);
  });
}

function clearBusy(form: HTMLFormElement): void {
  form.ariaBusy = null;
}
