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
  /** What the person gets, in tugrik. */
  amount: number;
  /** What stays with us, in tugrik. */
  fee: number;
  destination?: Destination;
  /** When the owner put this account in place of an earlier one. */
  correctedAt?: Date | null;
  recipientId: number | null;
  dueAt: Date;
  at: Date;
  by: AuditActor;
};

/**
 * Makes a payout or refund due: a task for the administrators; nothing is posted. All records of a split are made before
 * any of them is approved. The same money to the same person again answers ok, repeated. Refuses, in this order:
 * AMOUNT_INVALID; PAYOUT_CONFLICT (a live record of this reference, kind and source says otherwise); PAYOUT_EXCEEDS_HELD.
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
  // An account that was corrected stays so in whatever record takes the place of one that is void.
  const correctedAt = input.correctedAt ?? (await findLastCorrection(tx, reference, kind));
  return { ok: true, payout: await insertDuePayout(tx, { ...input, correctedAt }), repeated: false };
}

/** When the account of a void record of this kind was corrected last; null where none was. */
async function findLastCorrection(tx: Tx, reference: Reference, kind: PayoutKind): Promise<Date | null> {
  const [row] = await tx
    .select({ at: max(payoutsTable.correctedAt) })
    .from(payoutsTable)
    .where(and(eq(payoutsTable.reference, reference), eq(payoutsTable.kind, kind)));
  return row?.at ?? null;
}

/**
 * An administrator names the account of a refund in its buyer's place: who, when and why. Another one must approve it. Null where its
 * owner named it.
 */
type DestinationNaming = Pick<Payout, "namedBy" | "namedAt" | "namedReason">;
const namedByOwner: DestinationNaming = { namedBy: null, namedAt: null, namedReason: null };

/** Who named the account of a record, for one that takes its place. */
export function namingOf({ namedBy, namedAt, namedReason }: Payout): DestinationNaming {
  return { namedBy, namedAt, namedReason };
}

/**
 * Says where the money of a due record goes, and whose it is when that was not known; `reason` is given by an administrator, who says
 * it in the owner's place. Repeating it changes nothing, but an owner makes what was named for them their own. Another account than the
 * one on record, of a payout or of what replaces a transfer that was not sent, is a correction: two administrators approve it, three
 * hours later at the earliest.
 * Refuses: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT once approved: the destination is frozen until the approval is void.
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

/** Exactly the fields of a destination, without the empty ones: what else a caller's object carries is not kept. */
export function plainDestination(destination: Destination): Destination {
  const { bankName, accountName, accountNumber, iban, phone } = destination;
  return { bankName, accountName, accountNumber, ...(iban && { iban }), ...(phone && { phone }) };
}

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
