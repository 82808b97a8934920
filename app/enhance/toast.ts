/**
 * Inserts the page's toast again, since a screen reader announces only changes; the toast can then be dismissed by its button or by Escape.
 */
export function startToast(): void {
  const region = document.querySelector("[data-toasts]");
  const toast = region?.firstElementChild;
  if (region == null || toast == null) return;
  for (const button of toast.querySelectorAll<HTMLButtonElement>("[data-dismiss]")) {
    button.hidden = false;
    button.addEventListener("click", () => toast.remove());
  }
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") toast.remove();
  });
  requestAnimationFrame(() => region.replaceChildren(toast));
}
