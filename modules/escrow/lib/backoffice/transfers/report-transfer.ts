import { db } from "#db/client";
import type { Actor } from "#modules/identity";
import { payout, reportSent } from "#modules/payments";
import type { Refused } from "../../core/outcomes.ts";
import { reportFraud } from "../../holds/report-fraud.ts";
import { onPayout, type Paid } from "../payouts/payout-steps.ts";
import { tellSender } from "./notify-sender.ts";

/** What the record keeps as its reason: who looks at it later finds the numbers beside it. */
const REASON = "Reported as already sent before it was taken over.";

/**
 * An administrator whose transfer another took over had already made it: the record is in doubt until both have looked at the bank,
 * and whoever makes it is told at once. A record that is already done or void stays so, and its trade is put on hold. Refuses
 * AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED, PAYOUT_NOT_FOUND, OWN_TRADE, PAYOUT_CONFLICT.
 */
export async function reportTransfer(
  actor: Actor,
  payoutId: number,
  { bankReference }: { bankReference: string },
): Promise<Paid | Refused> {
  const reported = await onPayout(actor, payoutId, true, async (tx, trade, doing) => {
    const before = await payout(tx, payoutId);
    const stepped = await reportSent(tx, { id: payoutId, bankReference, reason: REASON, ...doing });
    const other = before?.sentBy ?? before?.claimedBy ?? null;
    if (stepped.ok && !stepped.repeated && other !== null) {
      const to = { payoutId, to: other, from: doing.by.userId };
      await tellSender(tx, trade, { ...to, event: "transferReported" });
    }
    return stepped;
  });
  const record = reported.ok || reported.code !== "PAYOUT_CONFLICT" ? null : await payout(db(), payoutId);
  // What is over stays as it is, but two transfers may have left: the trade waits until two administrators have looked.
  if (record?.state === "done" || record?.state === "void") {
    await reportFraud(actor, record.reference, { reason: `${REASON} ${bankReference}` });
  }
  return reported;
}
