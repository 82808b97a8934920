import type { Tx } from "#db/client";
import { type Actor, findPeople } from "#modules/identity";
import { findPayout, type Payout, payoutsOf, setDestination } from "#modules/payments";
import type { NameRefundAccountInput } from "../../../forms.ts";
import { type ChangeContext, postTradeNotice, recordChange } from "../../core/carry-out-effects.ts";
import { destinationOf } from "../../information/bank-account.ts";
import type { Deadline, Trade } from "../../machine/trade-types.ts";
import { mailTo } from "../../notifications/mail-parties.ts";
import { followRefunds } from "./refund-deadlines.ts";
import { type FreshPayoutActionOutcome, formatDestination, runFreshPayoutStep } from "./run-payout-step.ts";

type NamingRefusal = "NO_REFUND_DUE" | "BUYER_NAMES_ACCOUNT" | "REFUND_DESTINATION_FINAL";

/**
 * An administrator names the account of a refund whose buyer cannot: the buyer deleted their account, or the deadline to name one has
 * passed. It takes effect once another administrator approves it; until then the buyer may still name their own account, and any
 * administrator another one. Naming the same account again changes nothing. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED,
 * PAYOUT_NOT_FOUND, OWN_TRADE, NO_REFUND_DUE, BUYER_NAMES_ACCOUNT, REFUND_DESTINATION_FINAL once it is approved.
 */
export function nameRefundAccount(
  actor: Actor,
  payoutId: number,
  { reason, ibanNumber, ...account }: NameRefundAccountInput,
): Promise<FreshPayoutActionOutcome<NamingRefusal>> {
  return runFreshPayoutStep(actor, payoutId, async (tx, trade, changeContext) => {
    const record = await findPayout(tx, payoutId);
    if (record?.kind !== "refund" || record.state === "void") return { ok: false, code: "NO_REFUND_DUE" };
    const buyer = (await findPeople(tx, [trade.buyerId])).get(trade.buyerId);
    if (
      record.state === "due" &&
      !mayNameRefundAccount(record, buyer, trade.deadlines.refund_account, changeContext.at)
    ) {
      return { ok: false, code: "BUYER_NAMES_ACCOUNT" };
    }
    const destination = destinationOf({ ...account, iban: ibanNumber ?? null });
    const to = { destination, recipientId: trade.buyerId };
    const set = await setDestination(tx, { id: payoutId, ...to, reason, ...changeContext });
    if (!set.ok) return { ok: false, code: "REFUND_DESTINATION_FINAL" };
    await followRefunds(tx, trade.id, await payoutsOf(tx, trade.id), changeContext.at);
    if (!set.repeated) await notifyAccountNamed(tx, trade, set.payout, changeContext);
    return set;
  });
}

/**
 * Whether an administrator may name the account of a due refund: the buyer's account is deleted, an administrator named one before, or the
 * buyer's deadline (`clock`) has passed.
 */
export function mayNameRefundAccount(
  { kind, state, namedBy }: Payout,
  buyer: { deleted: boolean } | undefined,
  clock: Deadline | undefined,
  at: Date,
): boolean {
  if (kind !== "refund" || state !== "due") return false;
  if (buyer === undefined || buyer.deleted || namedBy !== null) return true;
  return clock !== undefined && clock.dueAt <= at;
}

async function notifyAccountNamed(
  tx: Tx,
  trade: Trade,
  { id, amount, destination }: Payout,
  changeContext: ChangeContext,
): Promise<void> {
  await recordChange(tx, trade, changeContext, "name_refund_account", { payout: id });
  await mailTo(tx, trade, "buyer", (reader) => ({
    template: "refundAccountNamed",
    data: { ...reader, amount, destination: formatDestination(destination) },
  }));
  const params = { transactionId: trade.id, code: trade.code };
  await postTradeNotice(tx, trade, { code: "refundAccountNamed", params, at: changeContext.at });
}
