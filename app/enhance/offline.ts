/** How often the offline page checks whether Midman can be reached, in ms. */
const reconnectCheckMs = 3_000;

/**
 * Registers the service worker that stores the offline page, after the page itself has loaded. The offline page reloads by itself as soon
 * as Midman can be reached.
 */
export function startOffline(): void {
  if (document.querySelector("[data-told=offline]")) reloadWhenReachable();
  addEventListener("load", () => {
    // Refused where storage is (a private window) and absent on plain http: then only the offline page is missing.
    navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" }).catch(() => {});
  });
}

/**
 * Polls in addition to the `online` event: a browser reports that a link is up again, but not that a link without traffic works again or
 * that the server is back.
 */
function reloadWhenReachable(): void {
  const again = () => location.reload();
  addEventListener("online", again);
  const look = () => fetch("/healthz").then(({ ok }) => ok && again());
  setInterval(() => look().catch(() => {}), reconnectCheckMs);
}
