import { checkAllInvoices } from "./check-all-invoices.ts";
import type { ProviderReport, Reference } from "./provider-types.ts";

/** For each trade (and value of `force`) that this process checks: the running check, and the one that starts after it. */
const queuedChecks = new Map<string, { running: Promise<void>; next: Promise<ProviderReport> | null }>();

/**
 * Checks every invoice that a reference ever had at the provider, also cancelled ones, which may still be paid. Runs outside any
 * transaction and holds no connection while it waits for the provider. Only one check of an invoice runs at a time across instances. A
 * forced call that arrives meanwhile waits for a check that begins after it: 50 simultaneous calls cost two checks, and none misses a
 * payment. Without `force` an invoice that was checked within the last minute is answered from its last reply (`retryAt` is the time of the
 * next check). A failing provider never makes it throw: an unknown result makes `complete` false, and never means "unpaid". Nobody was
 * shown the QR code of an invoice whose creation reply was lost, so it is checked only once a payment of it is announced.
 */
export function checkInvoices(
  reference: Reference,
  now: Date,
  { force = false }: { force?: boolean } = {},
): Promise<ProviderReport> {
  return shareNextCheck(`${reference} ${force}`, () => checkAllInvoices(reference, now, force));
}

/** Joins the check that has not begun yet. A running check may have missed the payment that the caller knows of. */
function shareNextCheck(key: string, work: () => Promise<ProviderReport>): Promise<ProviderReport> {
  const line = queuedChecks.get(key) ?? { running: Promise.resolve(), next: null };
  queuedChecks.set(key, line);
  line.next ??= line.running.then(() => {
    line.next = null;
    const asking = work();
    const ended = () => {
      if (line.next === null) queuedChecks.delete(key);
    };
    line.running = asking.then(ended, ended);
    return asking;
  });
  return line.next;
}
