import type { Difference, DifferenceCause } from "../schema/reconciliation.ts";
import type { BilledInvoice, OwnRecord } from "./own-records.ts";
import type { ProviderRecord } from "./provider-records.ts";

/** A difference as the comparison finds it, before it is stored. */
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

/** The provider's and Midman's records of one day. */
export type ComparedSides = {
  providerRecords: readonly ProviderRecord[];
  /** Midman's payments of that day, and those that the provider lists for it. */
  ownRecords: readonly OwnRecord[];
  /** All payments of the trades concerned, on any day: a second payment is recognised by the first. */
  others: readonly OwnRecord[];
  billed: ReadonlyMap<string, BilledInvoice>;
  /** Keys of unreadable or unbookable rows that an administrator has resolved. */
  dealtWith: ReadonlySet<string>;
};

/** Compares both sides and returns the differences, one a payment. Pure: reads and writes nothing. */
export function comparePayments(sides: ComparedSides): FoundDifference[] {
  const { providerRecords, ownRecords } = sides;
  const booked = new Map(ownRecords.map((one) => [one.key, one]));
  const listed = new Set<string | null>(providerRecords.map(({ key }) => key));
  const ofListed = providerRecords.flatMap((row) => {
    const ours = booked.get(row.key);
    const cause = ours === undefined ? causeWhenUnbooked(row, sides) : causeWhenBooked(row, ours, sides);
    return cause === null ? [] : [foundOf(cause, row, ours, sides)];
  });
  const met = new Set([...ownRecords, ...sides.others].map(({ sameAs }) => sameAs));
  const unlisted = ownRecords.filter(
    ({ id, key, posted }) => posted !== 0 && !listed.has(key) && !met.has(id),
  );
  const ofUnlisted = unlisted.map((ours) =>
    foundOf(ours.paymentId === null ? "by_hand" : "missing_there", undefined, ours, sides),
  );
  return [...ofListed, ...ofUnlisted];
}

function causeWhenUnbooked(row: ProviderRecord, sides: ComparedSides): DifferenceCause | null {
  if (row.counts) return isSecond(row, sides) ? "duplicate" : "missing_here";
  // Failed and pending attempts are not money, and neither is a payment that was taken back before it was booked.
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

/** True if the same amount was paid on the same invoice before this unbooked row, and together they exceed the billed amount. */
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

/** Every payment of one invoice: the booked ones first, then those that are only listed. */
function onInvoice(bill: BilledInvoice, { providerRecords, ownRecords, others, billed }: ComparedSides) {
  const booked = new Map([...ownRecords, ...others].map((one) => [one.id, one]));
  const ours = [...booked.values()]
    .filter(({ invoiceId }) => invoiceId === bill.invoiceId)
    .map(({ key, posted }) => ({ key, amount: posted }));
  const known = new Set(ours.map(({ key }) => key));
  const listed = providerRecords
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
