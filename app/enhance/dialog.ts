/**
 * Escape closes a dialog that an address opened by following the dialog's close link, unless an open menu or a toast takes the key first.
 */
export function startDialog(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (document.querySelector("details[data-menu][open], [data-toasts] > *")) return;
    const close = document.querySelector<HTMLElement>("[data-close]")?.dataset.close;
    if (close !== undefined) location.assign(close);
  });
}
