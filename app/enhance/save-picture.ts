/**
 * `<a data-save-picture="name.png" href="…">` downloads a picture. An iPhone would store it among its files, where no bank's app looks: there
 * the picture goes to the share sheet, which can add it to the photos.
 */
export function startSavePicture(): void {
  if (!/iP(?:hone|ad|od)/.test(navigator.userAgent) || !("canShare" in navigator)) return;
  document.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element
        ? event.target.closest<HTMLAnchorElement>("a[data-save-picture]")
        : null;
    if (link === null) return;
    event.preventDefault();
    void sharePicture(link);
  });
}

async function sharePicture(link: HTMLAnchorElement): Promise<void> {
  const reply = await fetch(link.href).catch(() => null);
  if (!reply?.ok) return location.assign(link.href);
  const files = [new File([await reply.blob()], link.dataset.savePicture ?? "", { type: "image/png" })];
  if (!navigator.canShare({ files })) return location.assign(link.href);
  // Closing the sheet rejects with AbortError. Anything else means that it did not open: iOS may count the press as too long ago.
  await navigator.share({ files }).catch(({ name }: Error) => {
    if (name !== "AbortError") location.assign(link.href);
  });
}
