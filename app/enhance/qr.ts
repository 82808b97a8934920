/** Shows `[data-qr-failed]` beside an `<img data-qr>` that could not be loaded. */
export function startQr(): void {
  const look = (image: EventTarget | null) => {
    if (!(image instanceof HTMLImageElement) || !image.matches("[data-qr]")) return;
    const note = image.parentElement?.querySelector<HTMLElement>("[data-qr-failed]");
    if (note) note.hidden = false;
  };
  document.addEventListener("error", ({ target }) => look(target), true);
  // The image may have failed before this script ran.
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) look(image);
}
