import { and, eq, max, ne } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import type { Destination } from "../../forms.ts";
import { lockReference } from "../ledger/balances.ts";
import { digestOfTransfer } from "../proof/sealed-transfers.ts";
import type { Reference } from "../provider/provider-types.ts";
import { type Payout, type PayoutKind, type PayoutSource, payoutsTable } from "../schema/money.ts";
import {
  auditedPayoutFields,
  lockPayout,
  type PayoutRecordResult,
  readSourceTotals,
  recordPayoutStep,
} from "./payouts.ts";

export type NewDuePayout = {
  reference: Reference;
  kind: PayoutKind;
  source?: PayoutSource;
  /** What the recipient gets, in ₮. */
  amount: number;
  /** Midman's fee, in ₮. */
  fee: number;
  destination?: Destination;
  /** When the owner replaced an earlier account with this one. */
  correctedAt?: Date | null;
  recipientId: number | null;
  dueAt: Date;
  at: Date;
  by: AuditActor;
};

/**
 * Makes a payout or refund due: a task for the administrators; nothing is posted. All payouts of a split are created before any of them is
 * approved. The same amount to the same recipient again returns ok, repeated. Refuses, in this order: AMOUNT_INVALID; PAYOUT_CONFLICT (a
 * live payout of this reference, kind and source has other data); PAYOUT_EXCEEDS_HELD.
 */
export async function createDuePayout(
  tx: Tx,
  input: NewDuePayout,
): Promise<PayoutRecordResult<"AMOUNT_INVALID" | "PAYOUT_CONFLICT" | "PAYOUT_EXCEEDS_HELD">> {
  const { reference, kind, source = "escrow", amount, fee, recipientId } = input;
  const whole = Number.isSafeInteger(amount) && Number.isSafeInteger(fee);
  if (!whole || amount < 1 || fee < 0) return { ok: false, code: "AMOUNT_INVALID" };
  await lockReference(tx, reference);
  const live = await findLivePayout(tx, reference, kind, source);
  if (live !== undefined) {
    const same = live.amount === amount && live.fee === fee && live.recipientId === recipientId;
    return same
      ? { ok: true, payout: live, repeated: true }
      : { ok: false, code: "PAYOUT_CONFLICT", current: live };
  }
  const { holds, promised } = await readSourceTotals(tx, { reference, source });
  if (promised + amount + fee > holds) return { ok: false, code: "PAYOUT_EXCEEDS_HELD" };
  // A corrected account stays marked as corrected in every payout that replaces a void one.
  const correctedAt = input.correctedAt ?? (await findLastCorrection(tx, reference, kind));
  return { ok: true, payout: await insertDuePayout(tx, { ...input, correctedAt }), repeated: false };
}

/** When the account of a payout of this reference and kind was last corrected; null if it never was. */
async function findLastCorrection(tx: Tx, reference: Reference, kind: PayoutKind): Promise<Date | null> {
  const [row] = await tx
    .select({ at: max(payoutsTable.correctedAt) })
    .from(payoutsTable)
    .where(and(eq(payoutsTable.reference, reference), eq(payoutsTable.kind, kind)));
  return row?.at ?? null;
}

/**
 * Which administrator entered a refund's account in the buyer's place, when and why; another administrator must approve it. All null if the
 * owner entered it.
 */
type DestinationNaming = Pick<Payout, "namedBy" | "namedAt" | "namedReason">;
const namedByOwner: DestinationNaming = { namedBy: null, namedAt: null, namedReason: null };

/** Copies who entered a payout's account, for a payout that replaces it. */
export function namingOf({ namedBy, namedAt, namedReason }: Payout): DestinationNaming {
  return { namedBy, namedAt, namedReason };
}

/**
 * Sets the destination of a due payout, and its recipient if unknown. `reason` is given only by an administrator who enters the account in
 * its owner's place. Repeating it changes nothing, except that an owner who repeats an administrator's entry makes it their own. A
 * destination that differs from the stored one is a correction if the record is a payout, or replaces a transfer that was not sent: two
 * administrators must approve it, the second at least three hours later. Refuses: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT once approved, because
 * the destination is frozen until the approval is void.
 */
export async function setDestination(
  tx: Tx,
  input: {
    id: number;
    destination: Destination;
    recipientId?: number;
    reason?: string;
    at: Date;
    by: AuditActor;
  },
): Promise<PayoutRecordResult<"PAYOUT_NOT_FOUND" | "PAYOUT_CONFLICT">> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  const recipientId = input.recipientId ?? before.recipientId;
  const { at, by, reason } = input;
  const whose = recipientId === before.recipientId && (reason !== undefined || before.namedBy === null);
  const same = sameDestination(before.destination, input.destination) && whose;
  if (same && before.state !== "void") return { ok: true, payout: before, repeated: true };
  if (before.state !== "due") return { ok: false, code: "PAYOUT_CONFLICT", current: before };
  const named =
    reason === undefined ? namedByOwner : { namedBy: by.userId, namedAt: at, namedReason: reason };
  const corrects = before.destination !== null && !sameDestination(before.destination, input.destination);
  const corrected = corrects && (before.kind === "payout" || before.replaces !== null);
  const change = {
    destination: plainDestination(input.destination),
    recipientId,
    ...named,
    ...(corrected && { correctedAt: at }),
    ...(corrects && { firstApprovedBy: null, firstApprovedAt: null }),
  };
  const after = await recordPayoutStep(tx, before, change, { action: "destination", by, at });
  return { ok: true, payout: after, repeated: false };
}

/** Inserts a due record and its audit entry. The caller holds the reference's lock and has done the checks. */
export async function insertDuePayout(
  tx: Tx,
  input: NewDuePayout & { named?: DestinationNaming; replaces?: number },
): Promise<Payout> {
  const [made] = await tx
    .insert(payoutsTable)
    .values({
      reference: input.reference,
      kind: input.kind,
      source: input.source ?? "escrow",
      amount: input.amount,
      fee: input.fee,
      recipientId: input.recipientId,
      destination: input.destination === undefined ? null : plainDestination(input.destination),
      dueAt: input.dueAt,
      createdAt: input.at,
      replaces: input.replaces ?? null,
      correctedAt: input.correctedAt ?? null,
      ...(input.named ?? namedByOwner),
    })
    .returning();
  if (made === undefined) throw new Error("payouts: the insert answered nothing");
  const { id, kind, reference, replaces } = made;
  const data = { reference, before: null, after: auditedPayoutFields(made), replaces };
  await recordAuditEntry(
    tx,
    { by: input.by, action: `${kind}.due`, at: input.at, subject: { kind, id }, data },
    digestOfTransfer(id),
  );
  return made;
}

/** Only the fields of a destination, without empty ones; drops every other field of the caller's object. */
export function plainDestination(destination: Destination): Destination {
  const { bankName, accountName, accountNumber, iban, phone } = destination;
  return { bankName, accountName, accountNumber, ...(iban && { iban }), ...(phone && { phone }) };
}

/** True if all fields of two destinations are equal; an absent field equals an empty one. */
export function sameDestination(a: Destination | null, b: Destination | null): boolean {
  if (a === null || b === null) return a === b;
  const fields = ["bankName", "accountName", "accountNumber", "iban", "phone"] as const;
  return fields.every((field) => (a[field] ?? "") === (b[field] ?? ""));
}

async function findLivePayout(tx: Tx, reference: Reference, kind: PayoutKind, source: PayoutSource) {
  const [row] = await tx
    .select()
    .from(payoutsTable)
    .where(
      and(
        eq(payoutsTable.reference, reference),
        eq(payoutsTable.kind, kind),
        eq(payoutsTable.source, source),
        ne(payoutsTable.state, "void"),
      ),
    );
  return row;
}
