import { checkAllInvoices } from "./check-all-invoices.ts";
import type { ProviderReport, Reference } from "./provider-types.ts";

/** For each trade (and `force`) that this process is asking about: the check that runs, and the one that starts after it. */
const queuedChecks = new Map<string, { running: Promise<void>; next: Promise<ProviderReport> | null }>();

/**
 * Asks the provider about every invoice that a reference ever had, also cancelled ones, which may still be paid. Runs outside any transaction and
 * holds no connection while it waits for the provider. Only one check of an invoice runs at a time across instances. A forced call that comes
 * meanwhile waits for a check that begins after it: 50 simultaneous calls cost two checks, and none misses a payment. Without `force` an invoice
 * that was asked about within the last minute is answered from its last reply (`retryAt` says until when). A failing provider never makes it
 * throw: what is unknown makes `complete` false, and is never "unpaid". An invoice whose creation reply was lost has shown its QR to nobody, so it
 * is asked about only once a payment of it is announced.
 */
export function checkInvoices(
  reference: Reference,
  now: Date,
  { force = false }: { force?: boolean } = {},
): Promise<ProviderReport> {
  return shareNextCheck(`${reference} ${force}`, () => checkAllInvoices(reference, now, force));
}

/** Joins the check that has not begun yet. One that already runs may have missed the payment that its caller knows of. */
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
