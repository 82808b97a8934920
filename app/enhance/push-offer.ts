import { readStored, writeStored } from "./browser/browser-storage.ts";
import { enablePush, isPushSupported } from "./push.ts";

const offerStorageKey = "midman-push";

/**
 * `[data-push-line]` offers notifications while the other person has the turn. It is shown by `data-push-offer` on the page's root, so that a
 * panel that is fetched again keeps it: only in a browser that can show notifications, was never asked, and whose person did not decline.
 */
export function startPushOffer(): void {
  if (!isPushSupported() || Notification.permission !== "default" || isDeclined()) return;
  const { dataset } = document.documentElement;
  dataset.pushOffer = "";
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-push-answer]") : null;
    const line = button?.closest<HTMLElement>("[data-push-line]");
    if (!button || !line) return;
    if (button.dataset.pushAnswer === "later") {
      writeStored("localStorage", offerStorageKey, "later");
      delete dataset.pushOffer;
      return;
    }
    const show = (state: string) => {
      const text = line.dataset[state];
      if (text === undefined) delete dataset.pushOffer;
      else line.textContent = text;
    };
    enablePush(readKey).then(show, () => show("failed"));
  });
}

async function readKey(): Promise<string> {
  const { key }: { key: string } = await (await fetch("/api/push/key")).json();
  return key;
}

/** Also where the browser refuses to store: an answer could not be remembered, so nothing is asked. */
function isDeclined(): boolean {
  const answer = readStored("localStorage", offerStorageKey);
  return answer !== null || !writeStored("localStorage", offerStorageKey, null);
}
