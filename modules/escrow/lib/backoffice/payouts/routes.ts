import { Elysia } from "elysia";
import { approval, because, claim, report, resolve, send, withdrawal } from "#forms/payments";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../../forms.ts";
import type { Refused } from "../../core/outcomes.ts";
import { done, whateverThereIs } from "../../core/route-words.ts";
import { transactionView } from "../../trade/view/transaction-view.ts";
import { reportTransfer } from "../transfers/report-transfer.ts";
import { nameRefundAccount } from "./name-refund-account.ts";
import * as calls from "./operations.ts";
import {
  approvePayout,
  claimPayout,
  type Paid,
  payoutDone,
  payoutUnknown,
  resolvePayout,
  sendPayout,
  withdrawApproval,
} from "./payout-steps.ts";
import { destinationFor } from "./recipient.ts";

const at = "/api/admin/payouts/:id";
const params = forms.pathId;
const bare = { params, parse: "none" } as const;

/** The steps of one payout or refund: due, approved, sent, done, or in doubt (design §6). */
export const payingOut = new Elysia({ name: "escrow.paying-out" })
  .use(withActor)
  .post(
    `${at}/destination`,
    ({ actor, params: { id }, body }) => did(actor, "refundAccountNamed", nameRefundAccount(actor, id, body)),
    { params, body: forms.namedAccount, detail: calls.nameAccount },
  )
  .post(
    `${at}/approve`,
    ({ actor, params: { id }, body }) => did(actor, "approved", approvePayout(actor, id, body)),
    { params, body: approval, parse: whateverThereIs, detail: calls.approve },
  )
  .post(
    `${at}/claim`,
    ({ actor, params: { id }, body }) => did(actor, "payoutClaimed", claimPayout(actor, id, body)),
    { params, body: claim, parse: whateverThereIs, detail: calls.claim },
  )
  .post(
    `${at}/withdraw-approval`,
    ({ actor, params: { id }, body }) => did(actor, "approvalWithdrawn", withdrawApproval(actor, id, body)),
    { params, body: withdrawal, detail: calls.withdrawApproval },
  )
  .post(
    `${at}/send`,
    ({ actor, params: { id }, body }) => did(actor, "settled", sendPayout(actor, id, body)),
    {
      params,
      body: send,
      detail: calls.markPayoutSent,
    },
  )
  .post(
    `${at}/already-sent`,
    ({ actor, params: { id }, body }) => did(actor, "payoutReported", reportTransfer(actor, id, body)),
    { params, body: report, detail: calls.reportPayoutSent },
  )
  .post(`${at}/done`, ({ actor, params: { id } }) => did(actor, "payoutDone", payoutDone(actor, id)), {
    ...bare,
    detail: calls.markPayoutDone,
  })
  .post(
    `${at}/unknown`,
    ({ actor, params: { id }, body }) => did(actor, "payoutUnknown", payoutUnknown(actor, id, body)),
    { params, body: because, detail: calls.markPayoutUnknown },
  )
  .post(
    `${at}/resolve`,
    ({ actor, params: { id }, body }) => did(actor, "payoutResolved", resolvePayout(actor, id, body)),
    { params, body: resolve, detail: calls.resolveUnknownPayout },
  );

async function did(actor: Actor, word: string, verb: Promise<Paid | Refused>) {
  const answer = await verb;
  if (!answer.ok) return answer;
  const { payout, trade } = answer;
  const destination = actor.kind === "user" ? destinationFor(actor.userId, payout) : null;
  return { ...done(actor, word), payout: { ...payout, destination }, transaction: transactionView(trade) };
}
