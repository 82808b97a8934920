import { type Executor, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import type { Destination } from "#forms/payments";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { payoutsOf, setDestination } from "#modules/payments";
import type { RefundDestinationInput } from "../../forms.ts";
import { followRefunds } from "../backoffice/payouts/refund-deadlines.ts";
import { lockTradeForParty, type NoPartyAccess } from "../core/party-access.ts";
import type { Status } from "../machine/trade-types.ts";
import { throttleWrites } from "../notifications/throttles.ts";
import { destinationOf } from "./bank-account.ts";
import { announceInformation } from "./notify-party.ts";
import { findLatestDetail, isSameInformation, storeInformation } from "./progress.ts";

export type SaveRefundDestinationResult =
  | { ok: true; changed: boolean }
  | NoPartyAccess
  | ThrottleRefusal
  | { ok: false; code: "BUYER_ONLY" }
  | { ok: false; code: "NO_REFUND_DUE" | "REFUND_DESTINATION_FINAL"; current: Status };

/**
 * Saves the account for the buyer's refunds: QR payments are refunded by bank transfer, so the buyer is asked. It may be changed until the
 * refund is approved; saving the same again changes nothing. Refuses, in this order: THROTTLED, TRANSACTION_NOT_FOUND, BUYER_ONLY,
 * NO_REFUND_DUE, REFUND_DESTINATION_FINAL.
 */
export async function saveRefundDestination(
  actor: Actor,
  tradeId: number,
  input: RefundDestinationInput,
): Promise<SaveRefundDestinationResult> {
  const turn = await throttleWrites(actor);
  if (!turn.ok) return turn;
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const found = await lockTradeForParty(tx, actor, tradeId);
    if (!found.ok) return found;
    const { trade, side, member } = found;
    if (side !== "buyer") return { ok: false, code: "BUYER_ONLY" };
    const all = await payoutsOf(tx, tradeId);
    const refunds = all.filter((payout) => payout.kind === "refund" && payout.state !== "void");
    if (refunds.length === 0) return { ok: false, code: "NO_REFUND_DUE", current: trade.status };
    const before = await findLatestDetail(tx, tradeId, "refund", "buyer");
    const { accountName, bankName, accountNumber, ibanNumber } = input;
    const given = { accountName, bankName, accountNumber, iban: ibanNumber ?? null };
    const due = refunds.filter((payout) => payout.state === "due");
    const repeated = isSameInformation(before, given);
    if (due.length === 0) {
      return repeated
        ? { ok: true, changed: false }
        : { ok: false, code: "REFUND_DESTINATION_FINAL", current: trade.status };
    }
    for (const { id } of due) {
      const to = { destination: destinationOf(given), recipientId: member.userId };
      const set = await setDestination(tx, { id, ...to, at, by: auditAuthorOf(member) });
      if (!set.ok) throw new Error(`refund ${id} moved under the trade's lock: ${set.code}`);
    }
    await followRefunds(tx, tradeId, await payoutsOf(tx, tradeId), at);
    if (repeated) return { ok: true, changed: false };
    await storeInformation(
      tx,
      { tradeId, side, kind: "refund", after: before, by: member.userId, at, device: member.device },
      given,
    );
    await announceInformation(tx, found, {
      notice: "refundDestinationGiven",
      action: "refund_destination_given",
      data: { event: "refundDestination" },
      at,
    });
    return { ok: true, changed: true };
  });
}

/** The account for the buyer's refunds; null until the buyer has entered one. */
export async function refundDestination(exec: Executor, tradeId: number): Promise<Destination | null> {
  const row = await findLatestDetail(exec, tradeId, "refund", "buyer");
  return row === undefined ? null : destinationOf(row);
}
