/** A person who comes back looks for the payment at most so often. */
const pause = 5_000;
/** When a bank's app was opened, its payment may still be on its way: it is looked for again after so long. */
const again = [6_000, 15_000];

let asked = 0;
let bankOpened = false;

/**
 * `<div data-recheck="trade's id">` stands with a QR that its buyer has not paid. Whoever comes back to the page, as from the bank's
 * app, has the payment looked for without a press; `[data-checking]` says so meanwhile. What then has changed is told by an
 * event `payment-checked`; where nobody takes it up, the page is loaded again.
 */
export function startReturn(): void {
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-bank-app]")) bankOpened = true;
  });
  const back = () => {
    if (document.visibilityState !== "visible") return;
    void check();
    if (bankOpened) for (const wait of again) setTimeout(check, wait);
    bankOpened = false;
  };
  document.addEventListener("visibilitychange", back);
  addEventListener("pageshow", (event) => event instanceof PageTransitionEvent && event.persisted && back());
  addEventListener("focus", back);
}

async function check(): Promise<void> {
  const box = document.querySelector<HTMLElement>("[data-recheck]");
  if (box === null || Date.now() - asked < pause) return;
  asked = Date.now();
  const note = box.querySelector<HTMLElement>("[data-checking]");
  if (note) note.hidden = false;
  const reply = await fetch(`/api/transactions/${box.dataset.recheck}/verify`, { method: "POST" }).catch(
    () => null,
  );
  if (note) note.hidden = true;
  const told = reply?.ok ? ((await reply.json()) as { success: boolean }) : null;
  const event = new CustomEvent("payment-checked", { cancelable: true });
  if (document.dispatchEvent(event) && told?.success) location.reload();
}
