import { expect, test } from "bun:test";
import { supportedLanguages } from "#locales";
import { readCatalogTexts } from "../tests/support/sources/catalog-texts.ts";

/**
 * One event, one name: the push's title, the mail's heading and its subject use the same words, and so does every notice and toast about the
 * same event, in both languages. A text may say more than the name (whose, how much, which transaction), and put it in a sentence.
 */

/** The event's name is the text of the first key; the other texts begin with it. */
const namedEvents: Record<string, string[]> = {
  "push.adminNotified.title": ["mail.transactionNotice.heading", "mail.transactionNotice.subject"],
  "push.cancellationRequested.title": [
    "mail.cancellationRequested.heading",
    "mail.cancellationRequested.subject",
  ],
  "push.cancellationDeclined.title": [
    "mail.cancellationDeclined.heading",
    "mail.cancellationDeclined.subject",
  ],
  "push.cancelled.title": [
    "push.cancelledAccountNeeded.title",
    ...["mail.tradeCancelled.heading", "mail.tradeCancelled.subject"],
    ...["escrow.cancelled", "toast.admin.cancel"],
  ],
  "push.completed.title": [
    ...["mail.transactionCompletion.heading", "mail.transactionCompletion.subject"],
    ...["escrow.completed", "toast.admin.complete"],
  ],
  "push.confirmPlease.title": ["mail.confirmPlease.heading", "mail.confirmPlease.subject"],
  "push.disputeOpened.title": [
    ...["mail.disputeOpened.heading", "mail.disputeOpened.subject"],
    ...["escrow.disputeOpened", "toast.done.dispute"],
  ],
  "push.disputeStep.title": [
    "push.splitAccountNeeded.title",
    ...["mail.disputeStep.heading", "mail.disputeStep.subject"],
  ],
  "push.handedOver.title": [
    "push.handedOverLate.title",
    ...["mail.handedOver.heading", "mail.handedOver.subject"],
  ],
  "push.joined.title": ["mail.roomJoined.heading"],
  "push.joined.body": ["mail.roomJoined.subject"],
  "push.overdue.title": ["mail.deadlineOverdue.heading", "mail.deadlineOverdue.subject"],
  "push.paidOut.title": ["mail.payoutSent.heading", "mail.payoutSent.subject"],
  "push.paymentConfirmed.title": [
    ...["mail.paymentConfirmed.heading", "mail.paymentConfirmed.subject"],
    ...["notices.paymentConfirmed", "escrow.finding.confirmed"],
  ],
  "push.paymentRequested.title": ["mail.paymentRequested.heading", "mail.paymentRequested.subject"],
  "push.payoutDecided.title": ["mail.payoutDecided.heading", "mail.payoutDecided.subject"],
  "push.refundAccountNamed.title": ["mail.refundAccountNamed.heading", "mail.refundAccountNamed.subject"],
  "push.refundAccountNeeded.title": ["mail.refundAccountNeeded.heading", "mail.refundAccountNeeded.subject"],
  "push.refunded.title": ["mail.refundSent.heading", "mail.refundSent.subject"],
  "push.reminder.title": ["mail.deadlineReminder.heading", "mail.deadlineReminder.subject"],
  "push.transferNotArrived.title": ["mail.transferNotArrived.heading", "mail.transferNotArrived.subject"],
  "push.unreadMessages.title": ["mail.unreadMessages.heading"],
  "push.vaultCheck.title": ["mail.vaultReminder.heading", "mail.vaultReminder.subject"],
};

/** The steps of a dispute: the mail's sentence, and what the room says, hold the push's words. */
const disputeSteps: Record<string, string[]> = {
  "push.steps.givenBack": ["mail.disputeStep.step.givenBack", "notices.disputeGivenBack"],
  "push.steps.mediatorWrote": ["mail.disputeStep.step.mediatorWrote"],
  "push.steps.released": ["mail.disputeStep.step.released.seller"],
  "push.steps.ruledRelease": ["mail.disputeStep.step.ruledRelease.buyer", "notices.ruledRelease"],
  "push.steps.ruledSplit": [
    ...["push.splitAccountNeeded.body", "mail.disputeStep.step.ruledSplit", "notices.ruledSplit"],
  ],
  "push.steps.taken": ["mail.disputeStep.step.taken"],
  "push.steps.withdrawn": [
    ...["mail.disputeStep.step.withdrawn", "notices.disputeWithdrawn"],
    ...["escrow.disputeWithdrawn", "toast.done.withdraw-dispute"],
  ],
};

/** The reply of a call and the page's toast for the same step. */
const repliesAndToasts: Record<string, string[]> = {
  "escrow.amended": ["toast.done.amend"],
  "escrow.approvalWithdrawn": ["toast.payout.withdraw"],
  "escrow.cancelDeclined": ["toast.done.decline-cancel"],
  "escrow.cancelWithdrawn": ["toast.done.withdraw-cancel"],
  "escrow.completionRecorded": ["toast.done.confirm", "toast.done.confirm-otherwise"],
  "escrow.created": ["toast.done.create-trade"],
  "escrow.deleted": ["toast.admin.delete"],
  "escrow.disputeExplained": ["toast.done.explain"],
  "escrow.handedOver": ["toast.done.hand-over"],
  "escrow.notified": ["toast.admin.notify"],
  "escrow.payoutReported": ["toast.payout.already-sent"],
  "escrow.refundAccountNamed": ["toast.payout.destination"],
  "escrow.reportResolved": ["toast.reports.resolve"],
  "escrow.ruled": ["toast.admin.rule"],
  "escrow.sellerDue": ["toast.admin.pay-seller"],
  "escrow.vaultChecked": ["toast.done.check"],
  "escrow.vaultSealed": ["toast.done.seal"],
  "escrow.withdrawn": ["toast.done.withdraw"],
};

for (const language of supportedLanguages) {
  const texts = new Map(readCatalogTexts(language).map(({ key, text }) => [key, text]));
  const textOf = (key: string) => texts.get(key) ?? `no text ${key}`;
  /** Without the full stop, and in one case: a name may begin a sentence or stand in one. */
  const bare = (text: string) => text.replace(/\.$/, "").toLowerCase();

  test(`push, mail, notice and toast name an event alike (${language})`, () => {
    for (const [name, keys] of Object.entries(namedEvents)) {
      for (const key of keys) {
        expect([name, key, bare(textOf(key)).slice(0, bare(textOf(name)).length)]).toEqual([
          name,
          key,
          bare(textOf(name)),
        ]);
      }
    }
  });

  test(`every text about a step of a dispute uses the same words (${language})`, () => {
    for (const [name, keys] of Object.entries(disputeSteps)) {
      for (const key of keys) {
        const held = bare(textOf(key)).includes(bare(textOf(name)));
        expect([name, key, held || textOf(key)]).toEqual([name, key, true]);
      }
    }
  });

  test(`a page's toast says what the call's reply says (${language})`, () => {
    for (const [name, keys] of Object.entries(repliesAndToasts)) {
      for (const key of keys) expect([key, bare(textOf(key))]).toEqual([key, bare(textOf(name))]);
    }
  });
}
