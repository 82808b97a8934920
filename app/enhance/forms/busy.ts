/** Long enough for a slow link; after it a person may press again: every step of ours repeats harmlessly. */
const busyTimeoutMs = 10_000;

/** A form on its way is marked busy and not posted a second time by an impatient press. */
export function startBusy(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    // What answers into a frame leaves the page and its form as they are.
    if (event.submitter?.hasAttribute("formtarget")) return;
    if (form.ariaBusy === "true") return event.preventDefault();
    form.ariaBusy = "true";
    setTimeout(() => clearBusy(form), busyTimeoutMs);
  });
  // Back to a page that was kept as it was left.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form")) clearBusy(form);
  });
}

function clearBusy(form: HTMLFormElement): void {
  form.ariaBusy = null;
}
