import { startParts } from "../enhance/browser/browser-needs.ts";
import { hydrateRoom } from "./room/hydrate.tsx";
import { startTradeSheet } from "./room/window/trade-sheet.ts";
import { fitWindow } from "./room/window/visible-window.ts";

/**
 * Finds each island of the page and hydrates its server-rendered HTML with the same props. All of it is in this file, because there is one
 * island.
 */
const islandHydrators: Record<string, (element: HTMLElement) => void> = { room: hydrateRoom };

function hydrateIslands(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-island]"))
    islandHydrators[element.dataset.island ?? ""]?.(element);
}

/** Needed only once something is paid or waited for: a room without it shows everything all the same. */
function loadPayer(): void {
  import("../enhance/payer.ts").then(
    ({ startPayer }) => startPayer(),
    () => undefined,
  );
}

startParts([fitWindow, startTradeSheet, hydrateIslands, loadPayer]);
