/** The shortest time between two checks of a payment, in ms. */
const recheckIntervalMs = 5_000;
/** A payment from a bank's app may still be on its way when the person returns: it is checked again after each of these delays, in ms. */
const bankAppRecheckDelays = [6_000, 15_000];

let lastRecheckAt = 0;
let bankOpened = false;

/**
 * `<div data-recheck="trade's id">` accompanies a QR that its buyer has not paid. When the buyer returns to the page, as from the bank's
 * app, the payment is checked without a press; `[data-checking]` is shown meanwhile. The result is announced by the event
 * `payment-checked`; if no listener cancels it and the check succeeded, the page reloads.
 */
export function startPaymentRecheck(): void {
  document.addEventListener("click", ({ target }) => {
    const bank = target instanceof Element ? target.closest<HTMLElement>("[data-bank-app]") : null;
    if (bank === null) return;
    bankOpened = true;
    rememberBank(bank.dataset.bankApp ?? "");
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

/** The bank's button comes first the next time. The server reads the cookie while it renders, so that nothing moves afterwards. */
function rememberBank(scheme: string): void {
  const [prefix, guard] = location.protocol === "https:" ? ["__Host-", "; Secure"] : ["", ""];
  // biome-ignore lint/suspicious/noDocumentCookie: CookieStore is newer than the oldest browsers that pay here
  document.cookie = `${prefix}midman-bank=${scheme}; Path=/; Max-Age=31536000; SameSite=Lax${guard}`;
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
  const told: unknown = reply?.ok ? await reply.json().catch(() => null) : null;
  const event = new CustomEvent("payment-checked", { cancelable: true });
  if (document.dispatchEvent(event) && isSuccess(told)) location.reload();
}

const isSuccess = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "success" in value && value.success === true;
