/**
 * Shows or hides the line of a room that says that live updates are off. The server renders it, and its stylesheet shows it after a while: the
 * room's script hides it before that once it runs, or shows it at once if it cannot run.
 */
export function markUpdatesOff(isOff: boolean): void {
  for (const line of document.querySelectorAll<HTMLElement>("[data-still]"))
    line.dataset.still = isOff ? "shown" : "never";
}
