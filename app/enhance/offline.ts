/** So often the offline page looks whether Midman can be reached, in ms. */
const reconnectCheckMs = 3_000;

/**
 * Registers the worker that keeps the offline page, once the page itself has all it needs. The offline page gives way by itself as
 * soon as Midman can be reached.
 */
export function startOffline(): void {
  if (document.querySelector("[data-told=offline]")) reloadWhenReachable();
  addEventListener("load", () => {
    // Refused where storage is (a private window) and absent on plain http: nothing is lost but the offline page.
    navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" }).catch(() => {});
  });
}

/** A browser tells of a link that is up again, not of one that was up and carried nothing, nor of a server that was away. */
function reloadWhenReachable(): void {
  const again = () => location.reload();
  addEventListener("online", again);
  const look = () => fetch("/healthz").then(({ ok }) => ok && again());
  setInterval(() => look().catch(() => {}), reconnectCheckMs);
}
