/**
 * A toast that came with the page is put in place again, since a reader announces only what changes; then it can be
 * dismissed by its button or by Escape.
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
