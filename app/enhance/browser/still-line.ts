/**
 * The line of a room that says that live updates are off. The page has it from the server and shows it by itself after a while; a room
 * that is awake takes it away, one that cannot wake shows it at once.
 */
export function markStill(isStill: boolean): void {
  for (const line of document.querySelectorAll<HTMLElement>("[data-still]"))
    line.dataset.still = isStill ? "shown" : "never";
}
