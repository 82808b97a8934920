import type { Difference, DifferenceCause } from "../schema/reconciliation.ts";
import type { BilledInvoice, OwnRecord } from "./own-records.ts";
import type { ProviderRecord } from "./provider-records.ts";

/** A difference as it is found. */
export type FoundDifference = Pick<
  Difference,
  | "cause"
  | "subject"
  | "providerPaymentId"
  | "paymentId"
  | "reference"
  | "thereAmount"
  | "thereStatus"
  | "hereAmount"
>;

/** Both sides of one day. */
export type ComparedSides = {
  there: readonly ProviderRecord[];
  /** What our books have of the day and of the listed payments. */
  here: readonly OwnRecord[];
  /** All payments of the trades concerned, on whatever day: a second payment is told by the first. */
  others: readonly OwnRecord[];
  billed: ReadonlyMap<string, BilledInvoice>;
  /** Odd rows that a person has dealt with. */
  dealtWith: ReadonlySet<string>;
};

/** What does not agree, payment by payment. Decides only; nothing is read or written here. */
export function comparePayments(sides: ComparedSides): FoundDifference[] {
  const { there, here } = sides;
  const booked = new Map(here.map((one) => [one.key, one]));
  const listed = new Set<string | null>(there.map(({ key }) => key));
  const ofListed = there.flatMap((row) => {
    const ours = booked.get(row.key);
    const cause = ours === undefined ? causeWhenUnbooked(row, sides) : causeWhenBooked(row, ours, sides);
    return cause === null ? [] : [foundOf(cause, row, ours, sides)];
  });
  const met = new Set([...here, ...sides.others].map(({ sameAs }) => sameAs));
  const unlisted = here.filter(({ id, key, posted }) => posted !== 0 && !listed.has(key) && !met.has(id));
  const ofUnlisted = unlisted.map((ours) =>
    foundOf(ours.paymentId === null ? "by_hand" : "missing_there", undefined, ours, sides),
  );
  return [...ofListed, ...ofUnlisted];
}

function causeWhenUnbooked(row: ProviderRecord, sides: ComparedSides): DifferenceCause | null {
  if (row.counts) return isSecond(row, sides) ? "duplicate" : "missing_here";
  // Attempts that failed or are under way are no money, nor is what went back before it was booked.
  if (row.problem === null || row.problem === "PAYMENT_REVERSED") return null;
  return sides.dealtWith.has(row.key) ? null : "uncountable";
}

function causeWhenBooked(row: ProviderRecord, ours: OwnRecord, sides: ComparedSides): DifferenceCause | null {
  if (row.problem === "PAYMENT_REVERSED") return ours.posted === 0 ? null : "refunded_there";
  if (row.problem === "FRACTIONAL_AMOUNT") return "amount";
  if (row.problem === "WRONG_CURRENCY" || row.problem === "ODD_ROW") return "uncountable";
  if (!row.counts) return ours.posted === 0 ? null : "status";
  const bill = billOf(row, sides);
  if (bill !== undefined && ours.invoiceId !== null && bill.invoiceId !== ours.invoiceId)
    return "other_invoice";
  if (ours.sameAs !== null) return null;
  if (row.amount !== ours.posted) return "amount";
  return ours.suspended > 0 && hasTwin(row, sides) ? "duplicate" : null;
}

/** Not booked here, while the same sum was paid on the same invoice before it, and both are more than was billed. */
function isSecond(row: ProviderRecord, sides: ComparedSides): boolean {
  const bill = billOf(row, sides);
  if (bill === undefined) return false;
  const same = onInvoice(bill, sides);
  const before = same.slice(
    0,
    same.findIndex((one) => one.key === row.key),
  );
  const sum = same.reduce((total, { amount }) => total + amount, 0);
  return sum > bill.amount && before.some(({ amount }) => amount === row.amount);
}

function hasTwin(row: ProviderRecord, sides: ComparedSides): boolean {
  const bill = billOf(row, sides);
  if (bill === undefined) return false;
  return onInvoice(bill, sides).some((one) => one.key !== row.key && one.amount === row.amount);
}

/** Every payment of one invoice: the booked ones first, then what is only listed. */
function onInvoice(bill: BilledInvoice, { there, here, others, billed }: ComparedSides) {
  const booked = new Map([...here, ...others].map((one) => [one.id, one]));
  const ours = [...booked.values()]
    .filter(({ invoiceId }) => invoiceId === bill.invoiceId)
    .map(({ key, posted }) => ({ key, amount: posted }));
  const known = new Set(ours.map(({ key }) => key));
  const listed = there
    .filter(({ counts, providerInvoiceId }) => {
      return counts && billed.get(providerInvoiceId ?? "")?.invoiceId === bill.invoiceId;
    })
    .filter(({ key }) => !known.has(key))
    .map(({ key, amount }) => ({ key, amount: amount ?? 0 }));
  return [...ours, ...listed];
}

function billOf({ providerInvoiceId }: ProviderRecord, { billed }: ComparedSides): BilledInvoice | undefined {
  return providerInvoiceId === null ? undefined : billed.get(providerInvoiceId);
}

function foundOf(
  cause: DifferenceCause,
  row: ProviderRecord | undefined,
  ours: OwnRecord | undefined,
  sides: ComparedSides,
): FoundDifference {
  const paymentId = row?.paymentId ?? ours?.paymentId ?? null;
  return {
    cause,
    subject: paymentId ?? `hand:${ours?.id}`,
    providerPaymentId: paymentId,
    paymentId: ours?.id ?? null,
    reference: ours?.reference ?? (row && billOf(row, sides)?.reference) ?? null,
    thereAmount: row?.amount ?? null,
    thereStatus: row?.status ?? null,
    hereAmount: ours?.posted ?? null,
  };
}
