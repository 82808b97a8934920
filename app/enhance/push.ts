/**
 * Notifications on this device (settings): shows their state, and turns them on at a press. `data-push` holds Midman's public key;
 * `data-push-on` is present if the server notifies this browser; each `data-push-state` is one state's text.
 */
export function startPush(): void {
  const box = document.querySelector<HTMLElement>("[data-push]");
  if (box === null) return;
  const show = (state: string) => {
    for (const part of box.querySelectorAll<HTMLElement>("[data-push-state]"))
      part.hidden = part.dataset.pushState !== state;
  };
  if (!isPushSupported()) {
    show("unsupported");
    return;
  }
  const readKey = async () => box.dataset.push ?? "";
  void readPushState("pushOn" in box.dataset).then(show);
  box.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element && target.closest("[data-push-press]"))) return;
    enablePush(readKey).then(
      (state) => (state === "on" ? location.reload() : show(state)),
      () => show("failed"),
    );
  });
}

async function readPushState(known: boolean): Promise<string> {
  if (Notification.permission === "denied") return "denied";
  const worker = await navigator.serviceWorker.getRegistration();
  const own = await worker?.pushManager.getSubscription();
  return known && own && Notification.permission === "granted" ? "on" : "off";
}

/** Asks for permission, which takes a press, and subscribes this browser. Returns its state: on, off, denied or failed. */
export async function enablePush(readKey: () => Promise<string>): Promise<string> {
  const leave = await Notification.requestPermission();
  // A person who dismissed the permission prompt may be asked again.
  if (leave !== "granted") return leave === "denied" ? "denied" : "off";
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription made for an older key of Midman's is useless and prevents a new one.
  await (await pushManager.getSubscription())?.unsubscribe();
  const own = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: await readKey() });
  const kept = await fetch("/api/push/subscriptions", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(own),
  });
  return kept.ok ? "on" : "failed";
}

/** Whether this browser can show notifications of a closed page; an iPhone only once Midman is on its home screen. */
export function isPushSupported(): boolean {
  return "PushManager" in window && "Notification" in window && Boolean(navigator.serviceWorker);
}
