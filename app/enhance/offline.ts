/**
 * Registers the worker that keeps the offline page, once the page itself has all it needs. The offline page tries again by
 * itself as soon as there is a connection.
 */
export function startOffline(): void {
  if (document.querySelector("[data-told=offline]")) addEventListener("online", () => location.reload());
  addEventListener("load", () => {
    // Refused where storage is (a private window) and absent on plain http: nothing is lost but the offline page.
    navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" }).catch(() => {});
  });
}
