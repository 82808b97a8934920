import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { broadcastFrame } from "#modules/rooms";
import type { CancelInput, ConfirmInput, DeclineCancellationInput } from "../../forms.ts";
import { applyCommand, type CommandRefusal, decideFor } from "../core/apply-command.ts";
import { type PartyGrant, requireLockedParty } from "../core/authorization.ts";
import {
  type RefusalCode,
  refuseAction,
  runAtomically,
  type TradeRefusal,
  type TradeResult,
} from "../core/outcomes.ts";
import type { NoPartyAccess } from "../core/party-access.ts";
import { isOpenCase } from "../disputes/dispute-cases.ts";
import type { Command, GivenBy, Party, Receipt, Trade } from "../machine/trade-types.ts";
import { throttleReversibleCommand } from "../notifications/throttles.ts";
import { vaultRefusal } from "../vault/vault-shown.ts";

/** Result of a party's command. */
export type PartyCommandResult<Given extends Command> =
  | TradeResult
  | NoPartyAccess
  | TradeRefusal<CommandRefusal<GivenBy<Party, Given>> | "RECORD_ALTERED">;

/** A reason outside the machine to refuse a command that would change the trade; called under the trade's lock. */
type LockedCheck<Code extends RefusalCode> = (
  tx: Tx,
  found: PartyGrant,
) => Promise<TradeRefusal<Code> | null>;

/**
 * A party gives a command to their trade. In one transaction, this locks the room, then the trade, and then decides. Every verb in this
 * file refuses AUTH_REQUIRED and TRANSACTION_NOT_FOUND (also to anyone but the parties), and what its decision refuses, with `current`.
 */
export function commandAsParty<Given extends Command, Code extends RefusalCode = never>(
  actor: Actor,
  id: number,
  given: Given,
  check?: LockedCheck<Code>,
): Promise<PartyCommandResult<Given> | TradeRefusal<Code>> {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party } = found;
    const command = { ...given, who: party } as GivenBy<Party, Given>;
    if (check !== undefined) {
      const decision = decideFor(trade, command, at);
      const refused = decision.ok && decision.changed ? await check(tx, found) : null;
      if (refused) return refused;
    }
    const done = await applyCommand(tx, trade, command, { at, by: auditAuthorOf(actor) });
    if (done.ok && done.changed && confirmationCommands.has(given.kind)) {
      broadcastFrame(tx, trade.roomId, {
        type: "transaction_confirmation",
        data: { transactionId: id, command: given.kind, who: party, status: done.trade.status },
      });
    }
    return done;
  });
}

const confirmationCommands = new Set<Command["kind"]>([
  "confirm",
  "request_cancellation",
  "decline_cancellation",
  "withdraw_cancellation",
]);

/**
 * The seller has handed the goods over; the note says how and where. Refuses SELLER_ONLY, NOT_PAID_YET, CANCELLATION_PENDING,
 * TRADE_OVERTAKEN.
 */
export function handOver(actor: Actor, id: number, input: { note?: string | undefined } = {}) {
  return commandAsParty(actor, id, { kind: "hand_over", note: input.note ?? null });
}

/**
 * A party confirms that all is well: first the buyer, then the seller. In a dispute, the buyer's confirmation releases the money if it says so
 * (`endsDispute` names it). A buyer's confirmation before any handover is recorded as "received another way". Refuses NOT_PAID_YET, BUYER_FIRST,
 * DESTINATION_MISSING, CANCELLATION_PENDING, DISPUTE_OPEN (none is named), DISPUTE_CHANGED (another is named), TRADE_OVERTAKEN.
 */
export function confirmCompletion(actor: Actor, id: number, { endsDispute }: ConfirmInput = {}) {
  const given = { kind: "confirm", endsDispute: endsDispute !== undefined } as const;
  return commandAsParty(actor, id, given, (tx, { trade }) => disputeRefusal(tx, trade, endsDispute));
}

/** DISPUTE_CHANGED if a dispute is open that the confirmation does not name: a late press must not end one that was opened since. */
async function disputeRefusal(tx: Tx, trade: Trade, shown: string | undefined) {
  if (trade.status !== "disputed" || (await isOpenCase(tx, trade.id, shown))) return null;
  return refuseAction("DISPUTE_CHANGED", trade);
}

/**
 * Like `confirmCompletion`, where the buyer was asked how the goods came. Refuses also NOT_HANDED_OVER if they were asked about a handover
 * that is not recorded, and VAULT_CHANGED if the vault is not in the state that was shown, such as after its contents were replaced.
 */
export function confirmReceipt(
  actor: Actor,
  id: number,
  receipt: Receipt,
  { vaultShown, endsDispute }: ConfirmInput & { vaultShown?: string | undefined } = {},
) {
  const given = { kind: "confirm", receipt, endsDispute: endsDispute !== undefined } as const;
  const check: LockedCheck<"DISPUTE_CHANGED" | "VAULT_CHANGED"> = async (tx, { trade }) =>
    (await disputeRefusal(tx, trade, endsDispute)) ??
    (vaultShown === undefined ? null : vaultRefusal(tx, trade, vaultShown));
  return commandAsParty(actor, id, given, check);
}

/**
 * A party asks to cancel, or agrees to the other party's request. The input names what the party was shown, so that nobody cancels what
 * they do not know: otherwise a buyer who has opened the vault meanwhile would get the item and the money. A seller who names no state of
 * the vault knows of no opening. Refuses NOT_PAID_YET, TRADE_OVERTAKEN, THROTTLED, CANCELLATION_CHANGED, VAULT_CHANGED.
 */
export function requestCancellation(actor: Actor, id: number, shown: CancelInput = {}) {
  const { agreesTo, vaultShown } = shown;
  const requestedAt = agreesTo == null ? agreesTo : new Date(agreesTo);
  const given = {
    kind: "request_cancellation",
    ...(requestedAt !== undefined && { agreesTo: requestedAt }),
  } as const;
  return commandAsPartyThrottled(actor, id, given, async (tx, { trade, party }) =>
    // The buyer knows what they have opened.
    vaultShown === undefined && party === "buyer" ? null : vaultRefusal(tx, trade, vaultShown),
  );
}

/**
 * A party declines the other party's request, which the input names, so that a late press does not decline a later one. Refuses
 * NOT_PAID_YET, TRADE_OVERTAKEN, THROTTLED, CANCELLATION_CHANGED.
 */
export function declineCancellation(actor: Actor, id: number, { requestedAt }: DeclineCancellationInput) {
  return commandAsPartyThrottled(actor, id, {
    kind: "decline_cancellation",
    requestedAt: new Date(requestedAt),
  });
}

/** A party withdraws its request to cancel. Refuses NOT_PAID_YET, TRADE_OVERTAKEN, THROTTLED. */
export function withdrawCancellation(actor: Actor, id: number) {
  return commandAsPartyThrottled(actor, id, { kind: "withdraw_cancellation" });
}

/** The same with the limit of `throttleReversibleCommand`, for a command that can be given again and again. */
export async function commandAsPartyThrottled<Given extends Command, Code extends RefusalCode = never>(
  actor: Actor,
  id: number,
  given: Given,
  check?: LockedCheck<Code>,
): Promise<PartyCommandResult<Given> | TradeRefusal<Code> | ThrottleRefusal> {
  const turn = await throttleReversibleCommand(actor, id, given);
  return turn.ok ? commandAsParty(actor, id, given, check) : turn;
}
