/** `<img data-qr>` that could not be loaded says so: `[data-qr-failed]` beside it is shown. */
export function startQr(): void {
  const look = (image: EventTarget | null) => {
    if (!(image instanceof HTMLImageElement) || !image.matches("[data-qr]")) return;
    const note = image.parentElement?.querySelector<HTMLElement>("[data-qr-failed]");
    if (note) note.hidden = false;
  };
  document.addEventListener("error", ({ target }) => look(target), true);
  // It may have failed before this script came.
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) look(image);
}
