import type { Letter, Occasion } from "#modules/mailer";

/** The push that goes with an email to a party: the same event in one line, without amounts. Undefined for an email without a push. */
export function occasionOf(letter: Letter, code: string, other: string): Occasion | undefined {
  switch (letter.template) {
    case "handedOver":
      // A buyer who has confirmed already is asked only to check the item.
      return { event: letter.data.deadline ? "handedOver" : "handedOverLate", params: { code, other } };
    case "paymentRequested":
    case "confirmPlease":
    case "cancellationRequested":
    case "cancellationDeclined":
    case "disputeOpened":
      return { event: letter.template, params: { code, other } };
    case "disputeStep":
      return letter.data.step === "ruledSplit" && letter.data.account === "needed"
        ? { event: "splitAccountNeeded", params: { code } }
        : { event: "disputeStep", params: { code, step: letter.data.step } };
    case "paymentConfirmed":
    case "refundAccountNeeded":
    case "refundAccountNamed":
    case "payoutDecided":
    case "transferNotArrived":
      return { event: letter.template, params: { code } };
    case "deadlineReminder":
      return { event: "reminder", params: { code, task: letter.data.task } };
    case "deadlineOverdue":
      return { event: "overdue", params: { code, task: letter.data.task } };
    case "payoutSent":
      return { event: "paidOut", params: { code } };
    case "refundSent":
      return { event: "refunded", params: { code } };
    case "tradeCancelled":
      return {
        event: letter.data.account === "needed" ? "cancelledAccountNeeded" : "cancelled",
        params: { code },
      };
    case "transactionCompletion":
      return { event: "completed", params: { code } };
    case "transactionNotice":
      return { event: "adminNotified", params: { code } };
    case "vaultReminder":
      return { event: "vaultCheck", params: { code } };
    default:
      return undefined;
  }
}
