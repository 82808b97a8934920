/** Escape leaves a dialog that an address opened, by its own way out, unless it was meant for something above it. */
export function startDialog(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (document.querySelector("details[data-menu][open], [data-toasts] > *")) return;
    const close = document.querySelector<HTMLElement>("[data-close]")?.dataset.close;
    if (close !== undefined) location.assign(close);
  });
}
