import { type Config, config, fourEyesAbove } from "#config";
import { roomLimits } from "#constants/rooms";
import type { DocumentFacts } from "#documents";
import { dayInWords, formatDuration, formatMoney, formatSpan, formatWithin, shownDigits } from "#format";
import { MAX_AMOUNT } from "#forms/escrow";
import { accountFieldLimits, consentVersions } from "#forms/identity";
import { getTranslator, type Language } from "#locales";
import { LOG_DAYS, RECORD_YEARS, TRACE_DAYS } from "#modules/audit";
import { deadlineHours, feeOf, feeRules, quoteTrade, reminderMinutes } from "#modules/escrow";
import { challengeLifetime, linkLifetimes, sessionLifetimes, ticketLifetimeMs } from "#modules/identity";
import { CORRECTION_WAIT_MS, QR_MS } from "#modules/payments";
import { draftLifetimeMs } from "../../enhance/browser/stored-drafts.ts";
import { servicePromises } from "./service-promises.ts";
import { formatHour, supportHours } from "./support-hours.ts";

const msPerHour = 3_600_000;
const msPerMinute = 60_000;
const cachedFacts = new WeakMap<Config, Partial<Record<Language, DocumentFacts>>>();

/**
 * Every figure in the published texts, formatted in the language, from where its rule is defined: amounts and periods from the modules,
 * contacts from the running configuration, promises that only people keep from `service-promises.ts`. Returns the same object for the same
 * configuration and language, because derived data is cached by its identity.
 */
export function readDocumentFacts(language: Language): DocumentFacts {
  const running = config();
  const made = cachedFacts.get(running) ?? {};
  cachedFacts.set(running, made);
  made[language] ??= {
    ...feeFacts(language),
    ...tradeFacts(language),
    ...accountFacts(language),
    ...supportFacts(language),
    ...operatorFacts(),
    ...fourEyesFacts(language),
  };
  return made[language];
}

/** The durations, and each again as `<name>Within`, in the form that stands before «дотор» and after “within”. */
function withForms(durations: Record<string, string>, language: Language): DocumentFacts {
  const within = Object.entries(durations).map(([name, text]) => [
    `${name}Within`,
    formatWithin(text, language),
  ]);
  return { ...durations, ...Object.fromEntries(within) };
}

const smallExampleAmount = 30_000;
const largeExampleAmount = 200_000;

function feeFacts(language: Language): DocumentFacts {
  const t = getTranslator(language);
  const policy = config().FEE_POLICY;
  const { minimum, standard, terms } = feeRules;
  const rule = {
    standard: t("facts.feeStandard", {
      minimum: formatMoney(minimum),
      upTo: formatMoney(standard.flatUpTo),
      percent: standard.percent,
    }),
    terms: t("facts.feeTerms", { minimum: formatMoney(minimum), percent: terms.percent }),
  };
  const refund = { standard: t("facts.refundStandard"), terms: t("facts.refundTerms") };
  return {
    feeRule: rule[policy],
    feeMinimum: formatMoney(minimum),
    feeRefund: refund[policy],
    exampleSmall: formatMoney(smallExampleAmount),
    exampleSmallFee: formatMoney(feeOf(smallExampleAmount, policy)),
    exampleAmount: formatMoney(largeExampleAmount),
    exampleFee: formatMoney(feeOf(largeExampleAmount, policy)),
    ...exampleFacts(),
    largestSum: formatMoney(MAX_AMOUNT),
  };
}

/** What the example trade costs each party, by who pays the fee. */
function exampleFacts(): DocumentFacts {
  const of = (payer: "buyer" | "seller" | "split", name: string) => {
    const quoted = quoteTrade(largeExampleAmount, payer);
    if (!quoted.ok) throw new Error(`The example of ${largeExampleAmount} has no quote: ${quoted.code}`);
    const { buyerPays, sellerGets } = quoted.quote;
    return {
      [`example${name}Pays`]: formatMoney(buyerPays),
      [`example${name}Gets`]: formatMoney(sellerGets),
    };
  };
  return { ...of("buyer", "Buyer"), ...of("seller", "Seller"), ...of("split", "Split") };
}

function tradeFacts(language: Language): DocumentFacts {
  const of = (ms: number) => formatDuration(ms, language);
  const firstReminder =
    deadlineHours.buyer_finish * msPerHour - (reminderMinutes.buyer_finish[0] ?? 0) * msPerMinute;
  const durations = {
    qrLifetime: of(QR_MS),
    paymentWindow: of(deadlineHours.payment_window * msPerHour),
    neverInvoiced: of(deadlineHours.firstInvoice * msPerHour),
    handOver: of(deadlineHours.hand_over * msPerHour),
    buyerReminder: of(firstReminder),
    buyerFinish: of(deadlineHours.buyer_finish * msPerHour),
    adminReview: of(deadlineHours.admin_review * msPerHour),
    sellerFinish: of(deadlineHours.seller_finish * msPerHour),
    payout: of(deadlineHours.payout * msPerHour),
    refundAccount: of(deadlineHours.refund_account * msPerHour),
    disputeStatements: of(deadlineHours.dispute_statements * msPerHour),
    disputeRuling: of(deadlineHours.dispute_ruling * msPerHour),
    correctionWait: of(CORRECTION_WAIT_MS),
    stuckPayment: of(servicePromises.stuckPaymentMinutes * msPerMinute),
    manualConfirmation: getTranslator(language)("facts.workingDays", {
      days: servicePromises.manualConfirmationWorkingDays,
    }),
    changePassword: formatSpan(servicePromises.changePasswordHours, "hour", language),
  };
  return withForms(durations, language);
}

function accountFacts(language: Language): DocumentFacts {
  const { absolute, idle } = sessionLifetimes(false);
  return {
    usernameMinimum: String(accountFieldLimits.username.min),
    passwordMinimum: String(accountFieldLimits.password.min),
    passwordAdvised: String(servicePromises.advisedPassword),
    resetLink: formatDuration(linkLifetimes.password_reset, language),
    verificationLink: formatDuration(linkLifetimes.email_verification, language),
    signInTicket: formatDuration(ticketLifetimeMs, language),
    passkeyTicket: formatDuration(challengeLifetime, language),
    sessionLongest: formatDuration(absolute, language),
    sessionUnused: formatDuration(idle, language),
    draftLifetime: formatDuration(draftLifetimeMs, language),
    messageLongest: roomLimits.messageMax.toLocaleString("en-US"),
  };
}

function supportFacts(language: Language): DocumentFacts {
  const { SUPPORT_EMAIL, SUPPORT_PHONE } = config();
  const [soonest, latest] = servicePromises.mailReplyHours;
  return {
    termsDate: dayInWords(consentVersions.terms, language),
    privacyDate: dayInWords(consentVersions.privacy, language),
    retentionRecords: formatSpan(RECORD_YEARS, "year", language),
    retentionTraces: formatSpan(TRACE_DAYS, "day", language),
    retentionLogs: formatSpan(LOG_DAYS, "day", language),
    changeNotice: formatSpan(servicePromises.changeNoticeDays, "day", language),
    contactShown: String(shownDigits),
    ...withForms(
      {
        privacyAnswer: formatSpan(servicePromises.privacyAnswerDays, "day", language),
        mailReply: `${soonest}–${formatSpan(latest, "hour", language)}`,
      },
      language,
    ),
    supportEmail: SUPPORT_EMAIL,
    supportPhone: SUPPORT_PHONE,
    supportHours: getTranslator(language)("facts.supportHours", {
      opens: formatHour(supportHours.opens),
      closes: formatHour(supportHours.closes),
    }),
  };
}

/** Above which amount two administrators decide, by the setting in force. */
function fourEyesFacts(language: Language): DocumentFacts {
  const t = getTranslator(language);
  const limit = fourEyesAbove();
  if (limit === null) return { payoutEyes: t("facts.oneEyePayout"), rulingEyes: t("facts.oneEyeRuling") };
  const above = formatMoney(limit);
  return {
    payoutEyes: t("facts.fourEyesPayout", { above }),
    rulingEyes: t("facts.fourEyesRuling", { above }),
  };
}

/** The company that people have the agreement with. */
function operatorFacts(): DocumentFacts {
  const { OPERATOR_NAME, OPERATOR_REGISTRATION, OPERATOR_ADDRESS } = config();
  return {
    operator: OPERATOR_NAME,
    operatorRegistration: OPERATOR_REGISTRATION,
    operatorAddress: OPERATOR_ADDRESS,
  };
}
