import { hydrateRoom } from "./room/hydrate.tsx";

/** Wakes each island of the page: finds its server-rendered HTML and hydrates it with the same props. In one file, for there is one island. */
const islandHydrators: Record<string, (element: HTMLElement) => void> = { room: hydrateRoom };

for (const element of document.querySelectorAll<HTMLElement>("[data-island]"))
  islandHydrators[element.dataset.island ?? ""]?.(element);
