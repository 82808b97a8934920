import { hydrate } from "./room/hydrate.tsx";

/** Wakes each island of the page: finds its server-rendered HTML and hydrates it with the same props. In one file, for there is one island. */
const islands: Record<string, (element: HTMLElement) => void> = { room: hydrate };

for (const element of document.querySelectorAll<HTMLElement>("[data-island]"))
  islands[element.dataset.island ?? ""]?.(element);
