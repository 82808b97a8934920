import { db } from "#db/client";
import type { Actor } from "#modules/identity";
import { findPayout, reportPayoutSent } from "#modules/payments";
import { reportFraud } from "../../holds/report-fraud.ts";
import { type FreshPayoutActionOutcome, runFreshPayoutStep } from "../payouts/run-payout-step.ts";
import { notifySender } from "./notify-sender.ts";

/** The reason that the record keeps; the bank references are stored beside it. */
const REASON = "Reported as already sent before it was taken over.";

/**
 * An administrator whose transfer another took over reports that they had already made it. The record is in doubt until both have checked
 * at the bank, and the other administrator is notified at once. A record that is already done or void stays so, and its trade is put on
 * hold. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED, PAYOUT_NOT_FOUND, OWN_TRADE, PAYOUT_CONFLICT.
 */
export async function reportTransfer(
  actor: Actor,
  payoutId: number,
  { bankReference }: { bankReference: string },
): Promise<FreshPayoutActionOutcome<"PAYOUT_CONFLICT">> {
  const reported = await runFreshPayoutStep(actor, payoutId, async (tx, trade, changeContext) => {
    const before = await findPayout(tx, payoutId);
    const stepped = await reportPayoutSent(tx, {
      id: payoutId,
      bankReference,
      reason: REASON,
      ...changeContext,
    });
    const other = before?.sentBy ?? before?.claimedBy ?? null;
    if (stepped.ok && !stepped.repeated && other !== null) {
      const to = { payoutId, to: other, from: changeContext.by.userId };
      await notifySender(tx, trade, { ...to, event: "transferReported" });
    }
    return stepped;
  });
  const record = reported.ok || reported.code !== "PAYOUT_CONFLICT" ? null : await findPayout(db(), payoutId);
  // A done or void record stays as it is, but two transfers may have left: the trade is on hold until two administrators have checked.
  if (record?.state === "done" || record?.state === "void") {
    await reportFraud(actor, record.reference, { reason: `${REASON} ${bankReference}` });
  }
  return reported;
}
