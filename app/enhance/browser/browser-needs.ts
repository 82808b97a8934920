import { markUpdatesOff } from "./updates-off-line.ts";

/**
 * Whether this browser has what the scripts call without asking. Each came in a version of the floor (config/browser-floor.ts) or just
 * before it: with them it has the rest. Below, a page stays as the server made it, which is whole and works, instead of half awake.
 */
function canRunScripts(): boolean {
  return (
    typeof Array.prototype.at === "function" &&
    typeof Object.hasOwn === "function" &&
    typeof structuredClone === "function" &&
    typeof reportError === "function" &&
    typeof AbortController === "function" &&
    typeof WebSocket === "function" &&
    typeof HTMLDialogElement === "function"
  );
}

/**
 * Starts each part; one that fails is reported to the console, and the rest start. In a browser below the floor none starts, and a room
 * says that live updates are off.
 */
export function startParts(parts: ReadonlyArray<() => void>): void {
  if (!canRunScripts()) {
    markUpdatesOff(true);
    return;
  }
  for (const start of parts) {
    try {
      start();
    } catch (error) {
      reportError(error);
    }
  }
}
