import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { Actor } from "#modules/identity";
import {
  type ApproveRefusal,
  approvePayoutRecord,
  giveBankReference,
  markPayoutSent,
  type Payout,
  type PayoutActor,
  type PayoutStepDone,
  payoutsOf,
  type SendRefusal,
} from "#modules/payments";
import { loadPayoutActor, requireAdminForTrade, requireFreshAdmin } from "../../core/authorization.ts";
import { refuseAction, runAtomically } from "../../core/outcomes.ts";
import { type PayoutStepRefusal, refusePayoutStep, ruleOutRefusals } from "../../core/refused-step.ts";
import {
  type ProviderCheck,
  requireProviderAnswer,
  withProviderCheck,
} from "../../holds/check-before-payout.ts";
import { refuseUnseenDestination, type ShownDestination } from "../payouts/payout-steps.ts";
import { followPayoutStep } from "../payouts/run-payout-step.ts";

/**
 * Approves and sends in one step: the administrator has made the transfer and gives its bank reference. This concerns the trade's payout
 * or, if there is none, its refund; one that was sent without a reference gets it. Repeating the same reference changes nothing. Money for
 * another account than the one that was shown is neither approved nor sent. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED,
 * TRANSACTION_NOT_FOUND, OWN_TRADE, NOTHING_DUE, DESTINATION_REQUIRED, DESTINATION_DIGEST_REQUIRED, FOUR_EYES_REQUIRED (the sum, or a
 * corrected account, needs two administrators), ACCOUNT_JUST_CORRECTED, APPROVAL_LAPSED, PAYOUT_CLAIMED, BANK_REFERENCE_USED,
 * PAYOUT_CONFLICT, MONEY_HALTED, TRADE_ON_HOLD (also because of what the provider answers about the payments when it is asked once more).
 */
export async function settleTrade(
  actor: Actor,
  id: number,
  given: { bankReference: string } & ShownDestination,
) {
  const at = currentTime();
  const fresh = requireFreshAdmin(actor, at);
  if (!fresh.ok) return fresh;
  const leaves = isToSend(findPayoutToSettle(await payoutsOf(db(), id)));
  return withProviderCheck(actor, { tradeId: id, leaves }, (asked) =>
    runAtomically(async (tx) => {
      const found = await requireAdminForTrade(tx, actor, id);
      if (!found.ok) return found;
      const { trade, member } = found;
      const record = findPayoutToSettle(await payoutsOf(tx, id));
      if (record === undefined) return refuseAction("NOTHING_DUE", trade);
      const changeContext = { at, by: await loadPayoutActor(tx, member, at) };
      const stepped = await approveAndSend(tx, record, { ...given, asked }, changeContext);
      // The payout was read under the same lock.
      if (!stepped.ok) {
        return refusePayoutStep(
          tx,
          ruleOutRefusals<SettleRefusal, "PAYOUT_NOT_FOUND">(stepped, ["PAYOUT_NOT_FOUND"]),
          trade,
        );
      }
      return followPayoutStep(tx, trade, stepped, changeContext);
    }),
  );
}

function isToSend(record: Payout | undefined): boolean {
  return record?.state === "due" || record?.state === "approved";
}

type SettleRefusal = ApproveRefusal | SendRefusal | "DESTINATION_DIGEST_REQUIRED";

async function approveAndSend(
  tx: Tx,
  record: Payout,
  {
    bankReference,
    destinationDigest: shown,
    asked,
  }: { bankReference: string; asked: ProviderCheck } & ShownDestination,
  changeContext: { at: Date; by: PayoutActor },
): Promise<PayoutStepDone | PayoutStepRefusal<SettleRefusal>> {
  const { id } = record;
  if (record.referenceMissing) return giveBankReference(tx, { id, bankReference, ...changeContext });
  const none = refuseUnseenDestination(record, shown);
  if (none !== null) return none;
  const approved = await approvePayoutRecord(tx, { id, shown, ...changeContext });
  if (!approved.ok) return approved;
  // After the first approval of a corrected account nothing is sent.
  if (approved.payout.state === "due") return { ok: false, code: "FOUR_EYES_REQUIRED" };
  return requireProviderAnswer(
    asked,
    await markPayoutSent(tx, { id, bankReference, shown, ...changeContext }),
  );
}

/** The payout or refund that waits, the payout first; otherwise one that has left, so that a repeat can be told from a second transfer. */
function findPayoutToSettle(all: readonly Payout[]): Payout | undefined {
  const own = all.filter(({ source, state }) => source === "escrow" && state !== "void");
  const waits = (one: Payout) => one.state === "due" || one.state === "approved" || one.referenceMissing;
  // There is at most one of each kind.
  const byKind = own.sort((a, b) => a.kind.localeCompare(b.kind));
  return byKind.find(waits) ?? byKind.at(-1);
}
