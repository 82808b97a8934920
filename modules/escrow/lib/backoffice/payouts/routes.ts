import { Elysia } from "elysia";
import {
  approvePayoutSchema,
  claimPayoutSchema,
  markPayoutSentSchema,
  reportPayoutSentSchema,
  resolveUnknownPayoutSchema,
  stepReasonSchema,
  withdrawApprovalSchema,
} from "#forms/payments";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../../forms.ts";
import { parseOptionalBody, replySuccess } from "../../core/route-replies.ts";
import { transactionView } from "../../trade/view/transaction-view.ts";
import { reportTransfer } from "../transfers/report-transfer.ts";
import { nameRefundAccount } from "./name-refund-account.ts";
import * as calls from "./operations.ts";
import {
  approvePayoutAsAdmin,
  claimPayoutAsAdmin,
  markPayoutDoneAsAdmin,
  markPayoutSentAsAdmin,
  markPayoutUnknownAsAdmin,
  resolvePayoutAsAdmin,
  withdrawApprovalAsAdmin,
} from "./payout-steps.ts";
import { destinationFor } from "./recipient.ts";
import type { PayoutActionOutcome } from "./run-payout-step.ts";
import { namePayoutStep } from "./step-words.ts";

const payoutPath = "/api/admin/payouts/:id";
const params = forms.pathId;
const bodilessOptions = { params, parse: "none" } as const;

/** Routes of the steps of one payout or refund: due, approved, sent, done, or in doubt. */
export const payoutRoutes = new Elysia({ name: "escrow.paying-out" })
  .use(withActor)
  .post(
    `${payoutPath}/destination`,
    ({ actor, params: { id }, body }) =>
      respondToPayoutStep(actor, "refundAccountNamed", nameRefundAccount(actor, id, body)),
    { params, body: forms.nameRefundAccountSchema, detail: calls.nameRefundAccount },
  )
  .post(
    `${payoutPath}/approve`,
    ({ actor, params: { id }, body }) =>
      respondToPayoutStep(actor, "approved", approvePayoutAsAdmin(actor, id, body)),
    { params, body: approvePayoutSchema, parse: parseOptionalBody, detail: calls.approvePayout },
  )
  .post(
    `${payoutPath}/claim`,
    ({ actor, params: { id }, body }) =>
      respondToPayoutStep(actor, "payoutClaimed", claimPayoutAsAdmin(actor, id, body)),
    { params, body: claimPayoutSchema, parse: parseOptionalBody, detail: calls.claimPayout },
  )
  .post(
    `${payoutPath}/withdraw-approval`,
    ({ actor, params: { id }, body }) =>
      respondToPayoutStep(actor, "approvalWithdrawn", withdrawApprovalAsAdmin(actor, id, body)),
    { params, body: withdrawApprovalSchema, detail: calls.withdrawApproval },
  )
  .post(
    `${payoutPath}/send`,
    ({ actor, params: { id }, body }) =>
      respondToPayoutStep(actor, "settled", markPayoutSentAsAdmin(actor, id, body)),
    {
      params,
      body: markPayoutSentSchema,
      detail: calls.markPayoutSent,
    },
  )
  .post(
    `${payoutPath}/already-sent`,
    ({ actor, params: { id }, body }) =>
      respondToPayoutStep(actor, "payoutReported", reportTransfer(actor, id, body)),
    { params, body: reportPayoutSentSchema, detail: calls.reportPayoutSent },
  )
  .post(
    `${payoutPath}/done`,
    ({ actor, params: { id } }) => respondToPayoutStep(actor, "payoutDone", markPayoutDoneAsAdmin(actor, id)),
    {
      ...bodilessOptions,
      detail: calls.markPayoutDone,
    },
  )
  .post(
    `${payoutPath}/unknown`,
    ({ actor, params: { id }, body }) =>
      respondToPayoutStep(actor, "payoutUnknown", markPayoutUnknownAsAdmin(actor, id, body)),
    { params, body: stepReasonSchema, detail: calls.markPayoutUnknown },
  )
  .post(
    `${payoutPath}/resolve`,
    ({ actor, params: { id }, body }) =>
      respondToPayoutStep(actor, "payoutResolved", resolvePayoutAsAdmin(actor, id, body)),
    { params, body: resolveUnknownPayoutSchema, detail: calls.resolveUnknownPayout },
  );

async function respondToPayoutStep(actor: Actor, word: string, verb: Promise<PayoutActionOutcome>) {
  const answer = await verb;
  if (!answer.ok) return answer;
  const { payout, trade } = answer;
  const destination = actor.kind === "user" ? destinationFor(actor.userId, payout) : null;
  return {
    ...replySuccess(actor, namePayoutStep(word, payout)),
    payout: { ...payout, destination },
    transaction: transactionView(trade),
  };
}
