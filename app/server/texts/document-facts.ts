import { type Config, config } from "#config";
import type { DocumentFacts } from "#documents";
import { duration, longDay, money, span } from "#format";
import { MAX_AMOUNT } from "#forms/escrow";
import { consentVersions, limits } from "#forms/identity";
import { roomLimits } from "#forms/rooms";
import { type Language, translator } from "#locales";
import { LOG_DAYS, RECORD_YEARS, TRACE_DAYS } from "#modules/audit";
import { feeOf, feeRules, hours, quote, reminders } from "#modules/escrow";
import { linkLifetimes, sessionLifetimes } from "#modules/identity";
import { QR_MS } from "#modules/payments";
import { promises } from "./payout-promises.ts";
import { oclock, supportHours } from "./support-hours.ts";

const hour = 3_600_000;
const minute = 60_000;
const kept = new WeakMap<Config, Partial<Record<Language, DocumentFacts>>>();

/**
 * Every figure that the published texts name, written in the language, from where its rule lives: sums and spans from the
 * modules, contacts from the running configuration, what only people promise from `promises.ts`. One object for one
 * configuration and language, for what is made from it is kept by its identity.
 */
export function facts(language: Language): DocumentFacts {
  const running = config();
  const made = kept.get(running) ?? {};
  kept.set(running, made);
  made[language] ??= { ...fees(language), ...trade(language), ...accounts(language), ...people(language) };
  return made[language];
}

const small = 30_000;
const large = 200_000;

function fees(language: Language): DocumentFacts {
  const t = translator(language);
  const policy = config().FEE_POLICY;
  const { minimum, standard, terms } = feeRules;
  const rule = {
    standard: t("facts.feeStandard", {
      minimum: money(minimum),
      upTo: money(standard.flatUpTo),
      percent: standard.percent,
    }),
    terms: t("facts.feeTerms", { minimum: money(minimum), percent: terms.percent }),
  };
  const refund = { standard: t("facts.refundStandard"), terms: t("facts.refundTerms") };
  return {
    feeRule: rule[policy],
    feeMinimum: money(minimum),
    feeRefund: refund[policy],
    exampleSmall: money(small),
    exampleSmallFee: money(feeOf(small, policy)),
    exampleAmount: money(large),
    exampleFee: money(feeOf(large, policy)),
    ...examples(),
    largestSum: money(MAX_AMOUNT),
  };
}

/** What the example costs each side, by who pays the fee. */
function examples(): DocumentFacts {
  const of = (payer: "buyer" | "seller" | "split", name: string) => {
    const quoted = quote(large, payer);
    if (!quoted.ok) throw new Error(`The example of ${large} has no quote: ${quoted.code}`);
    const { buyerPays, sellerGets } = quoted.quote;
    return { [`example${name}Pays`]: money(buyerPays), [`example${name}Gets`]: money(sellerGets) };
  };
  return { ...of("buyer", "Buyer"), ...of("seller", "Seller"), ...of("split", "Split") };
}

function trade(language: Language): DocumentFacts {
  const of = (ms: number) => duration(ms, language);
  const firstReminder = hours.buyer_finish * hour - (reminders.buyer_finish[0] ?? 0) * minute;
  return {
    qrLifetime: of(QR_MS),
    paymentWindow: of(hours.payment_window * hour),
    neverInvoiced: of(hours.firstInvoice * hour),
    handOver: of(hours.hand_over * hour),
    buyerReminder: of(firstReminder),
    buyerFinish: of(hours.buyer_finish * hour),
    adminReview: of(hours.admin_review * hour),
    sellerFinish: of(hours.seller_finish * hour),
    payout: of(hours.payout * hour),
    refundAccount: of(hours.refund_account * hour),
    disputeStatements: of(hours.dispute_statements * hour),
    disputeRuling: of(hours.dispute_ruling * hour),
    stuckPayment: of(promises.stuckPaymentMinutes * minute),
    manualConfirmation: translator(language)("facts.workingDays", {
      days: promises.manualConfirmationWorkingDays,
    }),
  };
}

function accounts(language: Language): DocumentFacts {
  const { absolute, idle } = sessionLifetimes(false);
  return {
    usernameMinimum: String(limits.username.min),
    passwordMinimum: String(limits.password.min),
    passwordAdvised: String(promises.advisedPassword),
    changePassword: span(promises.changePasswordHours, "hour", language),
    resetLink: duration(linkLifetimes.password_reset, language),
    verificationLink: duration(linkLifetimes.email_verification, language),
    sessionLongest: duration(absolute, language),
    sessionUnused: duration(idle, language),
    messageLongest: roomLimits.messageMax.toLocaleString("en-US"),
  };
}

function people(language: Language): DocumentFacts {
  const { SUPPORT_EMAIL, SUPPORT_PHONE } = config();
  const [soonest, latest] = promises.mailReplyHours;
  return {
    termsDate: longDay(consentVersions.terms, language),
    privacyDate: longDay(consentVersions.privacy, language),
    retentionRecords: span(RECORD_YEARS, "year", language),
    retentionTraces: span(TRACE_DAYS, "day", language),
    retentionLogs: span(LOG_DAYS, "day", language),
    privacyAnswer: span(promises.privacyAnswerDays, "day", language),
    mailReply: `${soonest}–${span(latest, "hour", language)}`,
    supportEmail: SUPPORT_EMAIL,
    supportPhone: SUPPORT_PHONE,
    supportHours: translator(language)("facts.supportHours", {
      opens: oclock(supportHours.opens),
      closes: oclock(supportHours.closes),
    }),
  };
}
