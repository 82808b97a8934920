/** A person who comes back looks for the payment at most so often. */
const recheckIntervalMs = 5_000;
/** When a bank's app was opened, its payment may still be on its way: it is looked for again after so long. */
const bankAppRecheckDelays = [6_000, 15_000];

let lastRecheckAt = 0;
let bankOpened = false;

/**
 * `<div data-recheck="trade's id">` stands with a QR that its buyer has not paid. Whoever comes back to the page, as from the bank's
 * app, has the payment looked for without a press; `[data-checking]` says so meanwhile. What then has changed is told by an
 * event `payment-checked`; where nobody takes it up, the page is loaded again.
 */
export function startPaymentRecheck(): void {
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-bank-app]")) bankOpened = true;
  });
  const back = () => {
    if (document.visibilityState !== "visible") return;
    void recheckPayment();
    if (bankOpened) for (const wait of bankAppRecheckDelays) setTimeout(recheckPayment, wait);
    bankOpened = false;
  };
  document.addEventListener("visibilitychange", back);
  addEventListener("pageshow", (event) => event instanceof PageTransitionEvent && event.persisted && back());
  addEventListener("focus", back);
}

async function recheckPayment(): Promise<void> {
  const box = document.querySelector<HTMLElement>("[data-recheck]");
  if (box === null || Date.now() - lastRecheckAt < recheckIntervalMs) return;
  lastRecheckAt = Date.now();
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
