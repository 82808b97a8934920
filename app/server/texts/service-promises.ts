import { replyHours, vaultCheckHours } from "#forms/escrow";

/**
 * Promises in the published texts that Midman's people keep and no code enforces. Every other figure is defined with the code that enforces
 * it; `document-facts.ts` gives both to the texts.
 */
export const servicePromises = {
  /** A manual payment confirmation after a system failure. */
  manualConfirmationWorkingDays: 2,
  /** A payment unconfirmed after this long is a case for support. */
  stuckPaymentMinutes: 5,
  /** How long before they apply changes to the terms and the privacy policy are announced. */
  changeNoticeDays: 14,
  /** A request about a person's own data. */
  privacyAnswerDays: 30,
  /** How long after receiving an account the buyer should change its password. */
  changePasswordHours: vaultCheckHours,
  /** Password length that the security guide recommends. */
  advisedPassword: 12,
  /** The least and the most hours in which support answers email. */
  mailReplyHours: replyHours,
} as const;
