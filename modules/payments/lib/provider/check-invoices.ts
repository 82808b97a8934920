import { checkAllInvoices } from "./check-all-invoices.ts";
import type { ProviderReport, Reference } from "./provider-types.ts";

/** Of each question now being asked by this process: the ask under way, and the one that begins after it. */
const queuedChecks = new Map<string, { running: Promise<void>; next: Promise<ProviderReport> | null }>();

/**
 * Asks the provider about every invoice a reference ever had, cancelled ones too: they may still be paid. Runs outside any
 * transaction and holds no connection while the provider thinks. One ask per invoice is in flight across instances; who comes
 * meanwhile and forces waits for one begun after it came, so that 50 at once cost two calls and none misses a payment.
 * Without `force` an invoice asked within the last minute answers from its last reply (`retryAt` says until when).
 * Never throws for the provider's sake: what is not known makes `complete` false, and never "unpaid". An invoice whose
 * creation reply was lost has shown nobody its QR: it is asked about once a payment of it is announced.
 */
export function checkInvoices(
  reference: Reference,
  now: Date,
  { force = false }: { force?: boolean } = {},
): Promise<ProviderReport> {
  return shareNextCheck(`${reference} ${force}`, () => checkAllInvoices(reference, now, force));
}

/** Shares the ask that has not begun yet. One already under way may have missed what its caller knows of. */
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
