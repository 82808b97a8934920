/**
 * Shows the toasts of an answer. Older ones go, since they may contradict it, except errors of other forms, which stay until they are
 * dismissed. Returns whether the form was accepted, as far as toasts tell.
 */
export function showAnswerToasts(page: Document, form: string): boolean {
  const fresh = [...page.querySelectorAll<HTMLElement>("[data-toast]")];
  for (const old of document.querySelectorAll<HTMLElement>("[data-toast]"))
    if (old.dataset.toast !== "error" || old.dataset.of === undefined || old.dataset.of === form)
      old.remove();
  for (const toast of fresh) show(toast, form);
  return fresh.every((toast) => toast.dataset.toast !== "error");
}

/** Says that a form did not reach Midman, and offers to send it again; what was typed is still in it. */
export function showFailure(form: string, retry: () => void): void {
  const template = document.querySelector<HTMLTemplateElement>("template[data-unsent]");
  const toast = template?.content.firstElementChild?.cloneNode(true);
  if (!(toast instanceof HTMLElement)) return;
  for (const old of document.querySelectorAll<HTMLElement>("[data-toast][data-of]"))
    if (old.dataset.of === form) old.remove();
  toast.querySelector("[data-retry]")?.addEventListener("click", () => {
    toast.remove();
    retry();
  });
  show(toast, form);
}

function show(toast: HTMLElement, form: string): void {
  const region = document.querySelector("[data-toasts]");
  toast.dataset.of = form;
  region?.setAttribute("role", toast.dataset.toast === "error" ? "alert" : "status");
  region?.append(toast);
}
