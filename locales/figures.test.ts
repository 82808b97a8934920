import { expect, test } from "bun:test";
import { servicePromises } from "#app/server/texts/service-promises";
import { imageLimits, roomLimits } from "#constants/rooms";
import { MISSED_AFTER_HOURS } from "#db/jobs/nightly-verifications";
import { tradeFieldLimits as trade } from "#forms/escrow";
import { accountFieldLimits as account, passkeyLimits } from "#forms/identity";
import { deadlineHours } from "#modules/escrow";
import { readCatalogTexts, stripToWords } from "../tests/support/sources/catalog-texts.ts";

/** Short texts spell some figures out. Each must equal the figure of its rule, in both languages; no other text may contain figures. */

const megabytes = imageLimits.bytes / 2 ** 20;
const pdfMegabytes = imageLimits.pdfBytes / 2 ** 20;

const typed: Record<string, number[]> = {
  "admin.ledger.missing": [MISSED_AFTER_HOURS],
  "admin.logs.missing": [MISSED_AFTER_HOURS],
  "admin.work.alarm.ledger.missing": [MISSED_AFTER_HOURS],
  "admin.work.alarm.log.missing": [MISSED_AFTER_HOURS],
  "admin.work.late.admin_review": [deadlineHours.admin_review],
  "admin.work.late.hand_over": [deadlineHours.hand_over],
  "admin.work.late.refund_account": [deadlineHours.refund_account],
  "admin.work.late.seller_finish": [deadlineHours.seller_finish],
  "notices.disputeOpenedByBuyer": [deadlineHours.dispute_statements],
  "notices.disputeOpenedBySeller": [deadlineHours.dispute_statements],
  "notices.sellerConfirmed": [deadlineHours.payout],
  "mail.confirmPlease.body.seller.known": [deadlineHours.payout],
  "mail.confirmPlease.body.seller.needed": [deadlineHours.payout],
  "mail.confirmPlease.body.seller.unknown": [deadlineHours.payout],
  "mail.disputeOpened.next": [deadlineHours.dispute_ruling],
  "mail.payoutDecided.next": [deadlineHours.payout],
  "mail.missingAlarm.body.ledger": [MISSED_AFTER_HOURS],
  "mail.missingAlarm.body.log": [MISSED_AFTER_HOURS],
  "mail.handedOver.change": [servicePromises.changePasswordHours],
  "push.ledgerMissing.body": [MISSED_AFTER_HOURS],
  "push.logMissing.body": [MISSED_AFTER_HOURS],
  "chat.unreadMany": [roomLimits.unreadShown],
  "errors.IMAGE_TOO_LARGE": [megabytes],
  "errors.PASSKEYS_FULL": [passkeyLimits.most],
  "settings.passkeys.full": [passkeyLimits.most],
  "room.picture.file": [megabytes, Math.floor(imageLimits.upload / 2 ** 20)],
  "room.picture.tooLarge": [megabytes],
  "room.picture.pdfTooLarge": [pdfMegabytes],
  "errors.FILE_TOO_LARGE": [pdfMegabytes],
  "validation.captionLong": [imageLimits.captionMax],
  "auth.passwordHint": [account.password.min, servicePromises.advisedPassword],
  "auth.passwordHintAdmin": [account.password.adminMin],
  "errors.PASSWORD_SHORT_FOR_ADMIN": [account.password.adminMin],
  "validation.password": [account.password.min],
  "validation.passwordAdmin": [account.password.adminMin],
  "validation.username": [account.username.min],
  "validation.displayName": [account.displayName.min],
  "validation.avatarInitials": [1, account.avatarInitials.max],
  "validation.messageLong": [roomLimits.messageMax],
  "validation.roomDescriptionLong": [roomLimits.descriptionMax],
  "validation.roomNameLong": [roomLimits.nameMax],
  "validation.roomNameShort": [roomLimits.nameMin],
  "validation.supportMessage": [trade.supportMessageMin],
  "validation.reportWords": [trade.supportMessageMin],
};

/** Figures that are not rules of Midman: a standard's digits, a smallest amount, an example, a name. */
const fixed = new Set([
  "auth.code.lead",
  "design.sum",
  "errors.AMOUNT_INVALID",
  "errors.SPLIT_OUT_OF_RANGE",
  "pages.notFound",
  "profile.phoneHint",
  "settings.setup.code",
  "settings.setup.enter",
  "trade.feePayer.split",
  "validation.accountName",
  "validation.amount",
  "validation.rulingSum",
  "validation.settled",
  "validation.sum",
  "validation.accountLong",
  "validation.accountNumber",
  "validation.iban",
  "validation.phone",
  "validation.secondFactorCode",
  "validation.secondFactorDigits",
]);

const figures = (text: string) =>
  [...stripToWords(text).matchAll(/\d[\d,]*/g)].map(([figure]) => Number(figure.replaceAll(",", "")));

for (const language of ["mn", "en"] as const) {
  test(`the figures written in texts are those in force (${language})`, () => {
    const written = readCatalogTexts(language)
      .filter(({ key }) => !fixed.has(key))
      .map(({ key, text }) => [key, figures(text)] as const)
      .filter(([, found]) => found.length > 0);
    expect(Object.fromEntries(written)).toEqual(typed);
  });
}
