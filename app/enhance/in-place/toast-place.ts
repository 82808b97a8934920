/** Moves the toasts into an element: what a modal dialog does not contain is below it and cannot be pressed. */
export function holdToasts(home: HTMLElement): void {
  const region = document.querySelector<HTMLElement>("[data-toasts]");
  if (region !== null && region.parentElement !== home) home.append(region);
}
